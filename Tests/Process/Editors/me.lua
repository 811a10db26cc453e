-- Prints the user name that the API returns.
local oauth = require('oauth-stdio')
vim.notify = function(text) io.stderr:write(text .. '\n') end
local function finish(status, out, text)
  out:write(text .. '\n')
  vim.cmd((status == 0 and '' or status) .. 'cquit')
end
local ok, problem = pcall(oauth.call, vim.env.ACCOUNT, { url = vim.env.URL }, function(err, answer)
  if err then return finish(1, io.stderr, err.message) end
  local me = vim.json.decode(answer.body)
  io.stdout:write(tostring(me.user or me.name) .. '\n')
  vim.cmd('qall!')
end)
if not ok then finish(1, io.stderr, problem) end
