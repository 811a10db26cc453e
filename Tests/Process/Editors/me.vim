" Prints the user name that the API returns.
let g:OAuthStdioShow = {text -> writefile(split(text, "\n"), '/dev/stderr', 'a')}
function! Done(err, answer)
  if !empty(a:err)
    call writefile([a:err.message], '/dev/stderr', 'a')
    cquit 1
  endif
  let me = json_decode(a:answer.body)
  call writefile([get(me, 'user', get(me, 'name', ''))], '/dev/stdout', 'a')
  qall!
endfunction
try
  call oauth_stdio#call($ACCOUNT, {'url': $URL}, function('Done'))
catch
  call writefile([v:exception], '/dev/stderr', 'a')
  cquit 1
endtry
while 1
  sleep 50m
endwhile
