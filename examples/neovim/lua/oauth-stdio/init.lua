-- Signs the user in with the program oauth-stdio, and calls APIs:
--
--     local oauth = require('oauth-stdio')
--     oauth.call('github', { url = 'user' }, function(err, answer) print(err and err.message or answer.body) end)
--
-- Accounts have their names in the program's configuration.
local M = {
  program = vim.env.OAUTH_STDIO or 'oauth-stdio',
  arguments = vim.env.OAUTH_CONFIG and { '--config', vim.env.OAUTH_CONFIG } or {},
}

local job -- of the only process of this Neovim
local pending, last = {}, 0
local signed_in = {} -- the names of the accounts that can be used

--- Replaces `program`, `arguments` or `on_sign_in`, and begins to follow the accounts for `status()`.
function M.setup(options)
  for name, value in pairs(options or {}) do M[name] = value end
  if vim.fn.executable(M.program) == 1 then M.update() end
end

--- Shows where to sign in. The answers report everything else.
function M.on_sign_in(params)
  local code = params.userCode and '\nand type this code: ' .. params.userCode or ''
  vim.notify('sign in here: ' .. params.url .. code)
end

local function receive(line)
  local message = vim.json.decode(line)
  if message.method == 'signInWasRequested' then M.on_sign_in(message.params) end
  if message.method == 'accountWasChanged' then M.update() end
  local answer = message.id and pending[message.id]
  if answer then
    pending[message.id] = nil
    answer(message.error, message.result)
  end
end

local function start()
  local rest = ''
  job = vim.fn.jobstart({ M.program, '--events', 'signInWasRequested,accountWasChanged', unpack(M.arguments) }, {
    -- Output is cut at arbitrary places. The last piece is the start of a line, and empty at the end of one.
    on_stdout = function(_, pieces)
      for index, piece in ipairs(pieces) do
        if index > 1 then
          local line = rest
          rest = ''
          receive(line)
        end
        rest = rest .. piece
      end
    end,
    on_exit = function(_, status)
      job = nil
      local left = pending
      pending = {}
      for _, answer in pairs(left) do answer({ message = 'the program ended with status ' .. status }) end
    end,
  })
  if job <= 0 then
    job = nil
    error(M.program .. ' cannot be run')
  end
end

--- Sends a request and calls `done(err, result)` later. Branch on `err.data.kind`.
function M.request(method, params, done)
  if not job then start() end
  last = last + 1
  pending[last] = done
  vim.fn.chansend(job, vim.json.encode({ jsonrpc = '2.0', id = last, method = method, params = params }) .. '\n')
end

--- Calls the account's API with the params of `callAPI`. Asks the user to sign in first if necessary.
function M.call(account, params, done)
  params = vim.tbl_extend('error', { account = account }, params)
  M.request('callAPI', params, function(err, answer)
    if not err or not err.data or err.data.kind ~= 'signInRequired' then return done(err, answer) end
    M.request('authorize', { account = account }, function(denied)
      if denied then return done(denied) end
      M.request('callAPI', params, done)
    end)
  end)
end

local function report(account, text)
  return function(err) vim.notify(account .. ': ' .. (err and err.message or text), err and vim.log.levels.ERROR or nil) end
end

function M.login(account) M.request('authorize', { account = account }, report(account, 'signed in')) end

--- Finishes a sign-in. A browser on another machine ends with an error page, which has this address.
function M.paste(address)
  M.request('handleRedirect', { url = address }, function(err, result)
    local reason = err and err.message or result.reason
    if reason then vim.notify(reason, vim.log.levels.ERROR) end
  end)
end

--- Deletes the account's grant, also at the provider if possible.
function M.logout(account) M.request('revoke', { account = account }, report(account, 'signed out')) end

--- Learns which accounts can be used, also those that another process signed in.
function M.update(done)
  M.request('accounts', vim.empty_dict(), function(err, result)
    if not err then
      signed_in = vim.tbl_filter(function(state) return state.canAuthorize end, result.accounts)
      signed_in = vim.tbl_map(function(state) return state.account end, signed_in)
      vim.cmd('redrawstatus!')
    end
    if done then done(err, result and result.accounts) end
  end)
end

--- The signed-in accounts, for a status line: `%{v:lua.require'oauth-stdio'.status()}`.
function M.status() return #signed_in > 0 and '[' .. table.concat(signed_in, ' ') .. ']' or '' end

--- The names of all accounts that begin with `lead`, for the completion of commands. Waits at most a second.
function M.complete(lead)
  local names
  M.update(function(_, accounts)
    names = vim.tbl_map(function(state) return state.account end, accounts or {})
  end)
  vim.wait(1000, function() return names ~= nil end, 10)
  return vim.tbl_filter(function(name) return vim.startswith(name, lead) end, names or {})
end

return M
