" Signs the user in with the program oauth-stdio, and calls APIs:
"
"     call oauth_stdio#call('github', {'url': 'user'}, {err, answer -> execute('echo empty(err) ? answer.body : err.message', '')})
"
" Accounts have their names in the program's configuration.
let g:oauth_stdio = get(g:, 'oauth_stdio', [empty($OAUTH_STDIO) ? 'oauth-stdio' : $OAUTH_STDIO]
  \ + (empty($OAUTH_CONFIG) ? [] : ['--config', $OAUTH_CONFIG]))

" Shows the user a text. A plug-in may replace this function.
let g:OAuthStdioShow = get(g:, 'OAuthStdioShow', {text -> execute('echomsg text', '')})

" The names of the accounts that can be used.
let s:signed_in = []

function! s:Hear(channel, message) abort
  let l:event = get(a:message, 'method', '')
  if l:event ==# 'signInWasRequested'
    let l:code = get(a:message.params, 'userCode', '')
    call g:OAuthStdioShow('sign in here: ' .. a:message.params.url .. (empty(l:code) ? '' : "\nand type this code: " .. l:code))
  elseif l:event ==# 'accountWasChanged'
    call oauth_stdio#update()
  endif
endfunction

let s:pending = {}
let s:last = 0

" Fails all pending requests after the program has ended.
function! s:Ended(job, status) abort
  let l:left = values(s:pending)
  let s:pending = {}
  for l:Done in l:left
    call l:Done({'message': 'the program ended with status ' .. a:status}, {})
  endfor
endfunction

function! s:Job() abort
  if !exists('s:job') || job_status(s:job) !=# 'run'
    if !executable(g:oauth_stdio[0])
      throw g:oauth_stdio[0] .. ' cannot be run'
    endif
    let s:job = job_start(g:oauth_stdio, {'mode': 'lsp', 'err_mode': 'nl', 'callback': function('s:Hear'), 'err_cb': {_, line -> 0},
      \ 'exit_cb': function('s:Ended')})
  endif
  return s:job
endfunction

function! s:Answered(id, message) abort
  if has_key(s:pending, a:id)
    let l:Done = remove(s:pending, a:id)
    call l:Done(get(a:message, 'error', {}), get(a:message, 'result', {}))
  endif
endfunction

" Sends a request and calls `Done(err, result)` later, with an empty `err` after success. Branch on `err.data.kind`.
function! oauth_stdio#request(method, params, Done) abort
  let l:job = s:Job()
  let s:last += 1
  let l:id = s:last
  let s:pending[l:id] = a:Done
  call ch_sendexpr(l:job, {'method': a:method, 'params': a:params}, {'callback': {_, message -> s:Answered(l:id, message)}})
endfunction

" Calls the account's API with the params of `callAPI`. Asks the user to sign in first if necessary.
function! oauth_stdio#call(account, params, Done) abort
  let l:params = extend({'account': a:account}, a:params)
  call oauth_stdio#request('callAPI', l:params, function('s:Called', [a:account, l:params, a:Done]))
endfunction

function! s:Called(account, params, Done, err, result) abort
  if get(get(a:err, 'data', {}), 'kind', '') ==# 'signInRequired'
    return oauth_stdio#request('authorize', {'account': a:account}, function('s:SignedIn', [a:params, a:Done]))
  endif
  return a:Done(a:err, a:result)
endfunction

function! s:SignedIn(params, Done, err, result) abort
  return empty(a:err) ? oauth_stdio#request('callAPI', a:params, a:Done) : a:Done(a:err, {})
endfunction

function! oauth_stdio#login(account) abort
  call oauth_stdio#request('authorize', {'account': a:account}, function('s:Report', [a:account, 'signed in']))
endfunction

" Finishes a sign-in. A browser on another machine ends with an error page, which has this address.
function! oauth_stdio#paste(address) abort
  call oauth_stdio#request('handleRedirect', {'url': a:address}, function('s:Pasted'))
endfunction

function! s:Pasted(err, result) abort
  if !empty(a:err) || has_key(a:result, 'reason')
    call g:OAuthStdioShow(get(a:err, 'message', get(a:result, 'reason', '')))
  endif
endfunction

" Deletes the account's grant, also at the provider if possible.
function! oauth_stdio#logout(account) abort
  call oauth_stdio#request('revoke', {'account': a:account}, function('s:Report', [a:account, 'signed out']))
endfunction

function! s:Report(account, text, err, result) abort
  call g:OAuthStdioShow(a:account .. ': ' .. (empty(a:err) ? a:text : a:err.message))
endfunction

" Learns which accounts can be used, also those that another process signed in.
function! oauth_stdio#update() abort
  call oauth_stdio#request('accounts', {}, function('s:Listed'))
endfunction

function! s:Listed(err, result) abort
  if empty(a:err)
    let s:accounts = a:result.accounts
    let s:signed_in = map(filter(copy(s:accounts), 'v:val.canAuthorize'), 'v:val.account')
    redrawstatus!
  endif
endfunction

" The signed-in accounts, for a status line: %{oauth_stdio#status()}
function! oauth_stdio#status() abort
  return empty(s:signed_in) ? '' : '[' .. join(s:signed_in, ' ') .. ']'
endfunction

" Shows the state of each account.
function! oauth_stdio#show() abort
  call oauth_stdio#request('accounts', {}, function('s:Show'))
endfunction

function! s:Show(err, result) abort
  if !empty(a:err)
    return g:OAuthStdioShow(a:err.message)
  endif
  let l:lines = map(copy(a:result.accounts), {_, state -> state.account .. ': ' .. (state.canAuthorize ? 'signed in' : get(state, 'problem', 'signed out'))})
  call g:OAuthStdioShow(empty(l:lines) ? 'There are no accounts.' : join(l:lines, "\n"))
endfunction

" Returns the names of all accounts, for the completion of commands. Waits at most a second.
function! oauth_stdio#complete(lead, line, position) abort
  unlet! s:accounts
  call oauth_stdio#update()
  for l:_ in range(100)
    if exists('s:accounts')
      break
    endif
    sleep 10m
  endfor
  return join(map(copy(get(s:, 'accounts', [])), 'v:val.account'), "\n")
endfunction
