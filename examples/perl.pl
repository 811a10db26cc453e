#!/usr/bin/env -S perl -w
# Prints who the API says you are:  perl examples/perl.pl [ACCOUNT [URL]]     default: github user
# OAUTH_STDIO names the program, and OAUTH_CONFIG its configuration file, as in shell.sh.
use v5.14;
use IPC::Open2;
use JSON::PP;

open2(my $answers, my $requests, $ENV{OAUTH_STDIO} // 'oauth-stdio', map { ('--config', $_) } $ENV{OAUTH_CONFIG} // ());

sub fail { say STDERR "$0: @_"; exit 1 }

# Sends a request and returns its result. Shows the page on which the user signs in.
sub oauth {
    my ($method, %params) = @_;
    say $requests encode_json({jsonrpc => '2.0', id => 1, method => $method, params => \%params});
    while (my $line = <$answers>) {
        my $message = decode_json($line);
        my $prompt = ($message->{method} // '') eq 'signInWasRequested' ? $message->{params} : {};
        say STDERR "sign in here: $prompt->{url}" if $prompt->{url};
        say STDERR "and type this code: $prompt->{userCode}" if $prompt->{userCode};
        return $message->{result} // fail($message->{error}{message}) if exists $message->{id};
    }
    fail("oauth-stdio ended without an answer");
}

my ($account, $url) = ($ARGV[0] // 'github', $ARGV[1] // 'user');
oauth('authorize', account => $account);
my $me = decode_json(oauth('callAPI', account => $account, url => $url)->{body});
my ($name) = grep { defined } @$me{qw(login username name user)};
say $name // encode_json($me);
