-- The commands :OAuthLogin, :OAuthPaste, :OAuthLogout and :OAuthStatus. The process starts with the first of them, or with setup().
local function command(name, run)
  vim.api.nvim_create_user_command(name, function(given) run(given.args) end, {
    nargs = 1,
    complete = function(lead) return require('oauth-stdio').complete(lead) end,
  })
end

command('OAuthLogin', function(account) require('oauth-stdio').login(account) end)
command('OAuthLogout', function(account) require('oauth-stdio').logout(account) end)

vim.api.nvim_create_user_command('OAuthPaste', function(given) require('oauth-stdio').paste(given.args) end, { nargs = 1 })

vim.api.nvim_create_user_command('OAuthStatus', function()
  require('oauth-stdio').update(function(err, accounts)
    if err then return vim.notify(err.message, vim.log.levels.ERROR) end
    local lines = vim.tbl_map(function(state) return state.account .. ': ' .. (state.canAuthorize and 'signed in' or state.problem or 'signed out') end, accounts)
    vim.notify(#lines > 0 and table.concat(lines, '\n') or 'There are no accounts.')
  end)
end, {})
