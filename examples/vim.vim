" A client of oauth-stdio for Vim 9. It asks the user to sign in if necessary:
"
"     source examples/vim.vim
"     call OAuthCall('github', {'url': 'user'}, {err, answer -> execute('echo empty(err) ? answer.body : err.message', '')})
"
" Accounts have their names in the program's configuration.
let g:oauth_stdio = get(g:, 'oauth_stdio', [empty($OAUTH_STDIO) ? 'oauth-stdio' : $OAUTH_STDIO]
  \ + (empty($OAUTH_CONFIG) ? [] : ['--config', $OAUTH_CONFIG]))

" Shows where to sign in. The answers report everything else.
function! s:Hear(channel, message) abort
  if get(a:message, 'method', '') ==# 'signInWasRequested'
    let l:code = get(a:message.params, 'userCode', '')
    call OAuthShow('sign in here: ' .. a:message.params.url .. (empty(l:code) ? '' : "\nand type this code: " .. l:code))
  endif
endfunction

function! OAuthShow(text) abort
  echomsg a:text
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
function! OAuthRequest(method, params, Done) abort
  let l:job = s:Job()
  let s:last += 1
  let l:id = s:last
  let s:pending[l:id] = a:Done
  call ch_sendexpr(l:job, {'method': a:method, 'params': a:params}, {'callback': {_, message -> s:Answered(l:id, message)}})
endfunction

" Calls the account's API with the params of `callAPI`. Asks the user to sign in first if necessary.
function! OAuthCall(account, params, Done) abort
  let l:params = extend({'account': a:account}, a:params)
  function! s:SignedIn(params, Done, err, result) abort
    return empty(a:err) ? OAuthRequest('callAPI', a:params, a:Done) : a:Done(a:err, {})
  endfunction
  function! s:Called(account, params, Done, err, result) abort
    if get(get(a:err, 'data', {}), 'kind', '') ==# 'signInRequired'
      return OAuthRequest('authorize', {'account': a:account}, function('s:SignedIn', [a:params, a:Done]))
    endif
    return a:Done(a:err, a:result)
  endfunction
  call OAuthRequest('callAPI', l:params, function('s:Called', [a:account, l:params, a:Done]))
endfunction
