#!/usr/bin/env ruby
# Prints who the API says you are:  ruby examples/ruby.rb [ACCOUNT [URL]]     default: github user
# OAUTH_STDIO names the program, and OAUTH_CONFIG its configuration file, as in shell.sh.
require "json"

config = ENV["OAUTH_CONFIG"]
PROCESS = IO.popen([ENV.fetch("OAUTH_STDIO", "oauth-stdio"), *(["--config", config] if config)], "r+")

# Sends a request and returns its result. Shows the page on which the user signs in.
def oauth(method, **params)
  PROCESS.puts({ jsonrpc: "2.0", id: 1, method:, params: }.to_json)
  while (line = PROCESS.gets)
    message = JSON.parse(line, symbolize_names: true)
    if message[:method] == "signInWasRequested"
      warn "sign in here: #{message[:params][:url]}"
      warn "and type this code: #{message[:params][:userCode]}" if message[:params][:userCode]
    elsif message.key?(:id)
      return message[:result] || abort("#{$0}: #{message[:error][:message]}")
    end
  end
  abort "#{$0}: oauth-stdio ended without an answer"
end

account, url = ARGV[0] || "github", ARGV[1] || "user"
oauth "authorize", account: account
body = oauth("callAPI", account: account, url: url)[:body]
me = JSON.parse(body, symbolize_names: true)
puts me.values_at(:login, :username, :name, :user).compact.first || body
