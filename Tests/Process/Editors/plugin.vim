" Uses the plug-in as a user does, and prints one line for each step.
let g:OAuthStdioShow = {text -> writefile(split(text, "\n"), '/dev/stderr', 'a')}
function! Say(name, value)
  call writefile([a:name .. ' ' .. a:value], '/dev/stdout', 'a')
endfunction
function! Await(name, condition)
  for _ in range(1000)
    if eval(a:condition)
      return
    endif
    sleep 20m
  endfor
  call Say(a:name, 'did not come')
endfunction
function! Found(err, answer)
  let g:found = empty(a:err) ? a:answer.body : a:err.message
endfunction
function! Call(name)
  let g:found = ''
  call oauth_stdio#call('demo', {'url': 'me'}, function('Found'))
  call Await(a:name, 'g:found !=# ""')
  call Say(a:name, g:found)
endfunction
try
  call Say('completion', join(getcompletion('OAuthLogin d', 'cmdline'), ','))
  OAuthLogin demo
  " The browser is on another machine.
  call Await('address', 'filereadable($HOME .. "/address")')
  execute 'OAuthPaste' readfile($HOME .. '/address')[0]
  call Await('login', 'oauth_stdio#status() !=# ""')
  call Say('status', oauth_stdio#status())
  call Call('call')
  call system('pkill -KILL -P ' .. getpid() .. ' oauth-stdio')
  sleep 200m
  call Call('killed')
  " Another process signs out.
  call system($OAUTH_STDIO .. ' --config ' .. $OAUTH_CONFIG .. ' signOut demo')
  call Await('elsewhere', 'oauth_stdio#status() ==# ""')
  call Say('elsewhere', '"' .. oauth_stdio#status() .. '"')
  OAuthStatus
  sleep 500m
catch
  call writefile([v:exception], '/dev/stderr', 'a')
  cquit 1
endtry
qall!
