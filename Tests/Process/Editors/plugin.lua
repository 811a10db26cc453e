-- Uses the plug-in as a user does, and prints one line for each step.
vim.notify = function(text) io.stderr:write(text .. '\n') end
local oauth = require('oauth-stdio')
oauth.setup({})
local function say(name, value) io.stdout:write(name .. ' ' .. value .. '\n') end
local function await(name, condition)
  if not vim.wait(20000, condition, 20) then say(name, 'did not come') end
end
local function call(name)
  local found
  oauth.call('demo', { url = 'me' }, function(err, answer) found = err and err.message or answer.body end)
  await(name, function() return found ~= nil end)
  say(name, found)
end

say('completion', table.concat(vim.fn.getcompletion('OAuthLogin d', 'cmdline'), ','))
vim.cmd('OAuthLogin demo')
-- The browser is on another machine.
local address = vim.env.HOME .. '/address'
await('address', function() return vim.fn.filereadable(address) == 1 end)
vim.cmd('OAuthPaste ' .. vim.fn.readfile(address)[1])
await('login', function() return oauth.status() ~= '' end)
say('status', oauth.status())
call('call')
vim.fn.system({ 'pkill', '-KILL', '-P', tostring(vim.fn.getpid()), 'oauth-stdio' })
vim.wait(200)
call('killed')
-- Another process signs out.
vim.fn.system({ vim.env.OAUTH_STDIO, '--config', vim.env.OAUTH_CONFIG, 'signOut', 'demo' })
await('elsewhere', function() return oauth.status() == '' end)
say('elsewhere', '"' .. oauth.status() .. '"')
vim.cmd('OAuthStatus')
vim.wait(500)
vim.cmd('qall!')
