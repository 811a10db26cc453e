#!/usr/bin/env lua
-- Prints who the API says you are. It asks you to sign in if that is necessary.
--
--   lua examples/lua.lua [ACCOUNT [URL]]     default: github user
--
-- OAUTH_STDIO names the program, and OAUTH_CONFIG its configuration file, as in shell.sh. It needs the package dkjson.
local json = require("dkjson")

-- Runs a command of oauth-stdio and returns its output. Lua's pipes go one way, so each request is a command.
local function oauth(...)
  local config = os.getenv("OAUTH_CONFIG")
  local words = { os.getenv("OAUTH_STDIO") or "oauth-stdio" }
  for _, word in ipairs(config and { "--config", config, ... } or { ... }) do table.insert(words, word) end
  for index, word in ipairs(words) do words[index] = "'" .. word:gsub("'", "'\\''") .. "'" end
  local process = assert(io.popen(table.concat(words, " ")))
  local output = process:read("a")
  -- The command has said on standard error why it failed.
  return process:close() and output or os.exit(1)
end

local account, url = arg[1] or "github", arg[2] or "user"
oauth("login", account) -- does nothing if the user has signed in before
local answer = oauth("call", account, url)
local me = json.decode(answer)
print(me.login or me.username or me.name or me.user or answer)
