" The commands :OAuthLogin, :OAuthPaste, :OAuthLogout and :OAuthStatus. The process starts with the first of them.
if exists('g:loaded_oauth_stdio')
  finish
endif
let g:loaded_oauth_stdio = 1

command! -nargs=1 -complete=custom,oauth_stdio#complete OAuthLogin call oauth_stdio#login(<q-args>)
command! -nargs=1 -complete=custom,oauth_stdio#complete OAuthLogout call oauth_stdio#logout(<q-args>)
command! -nargs=1 OAuthPaste call oauth_stdio#paste(<q-args>)
command! OAuthStatus call oauth_stdio#show()
