function __oauth_stdio
  set -l words (commandline -opc) (commandline -ct)
  command $words[1] --complete $words[2..-1] 2>/dev/null
end
complete -c oauth-stdio -a '(__oauth_stdio)'
