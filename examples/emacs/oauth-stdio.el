;;; oauth-stdio.el --- Sign in with OAuth and call APIs  -*- lexical-binding: t -*-

;; Version: 0.3.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: comm
;; URL: https://example.org/oauth-stdio

;;; Commentary:

;; Signs the user in with the program oauth-stdio, which stores and refreshes the tokens.
;;
;;   (oauth-stdio-call "github" '(:url "user") (lambda (answer) (message "%s" (plist-get answer :body)))
;;     (lambda (text &optional _kind) (message "%s" text)))
;;
;; `oauth-stdio-auth-source-enable' lets gnus, smtpmail and ghub find tokens as passwords.
;; Accounts have their names in the program's configuration.

;;; Code:

(require 'auth-source)
(require 'jsonrpc)

(defgroup oauth-stdio nil "OAuth with the program oauth-stdio." :group 'comm)

(defcustom oauth-stdio-program (or (getenv "OAUTH_STDIO") "oauth-stdio") "The program." :type 'string)

(defcustom oauth-stdio-arguments
  (let ((file (getenv "OAUTH_CONFIG"))) (and file (list "--config" file)))
  "The program's arguments.  Without any, it reads its own configuration."
  :type '(repeat string))

(defcustom oauth-stdio-hosts nil
  "The account of each host whose password is an access token.
Each element is (HOST . ACCOUNT), such as (\"smtp.gmail.com\" . \"google\")."
  :type '(alist :key-type string :value-type string))

(defvar oauth-stdio--connection nil "The connection to the only process of this Emacs.")

(defvar oauth-stdio--accounts nil "The names of the signed-in accounts, for the mode line.")

(defun oauth-stdio-connection ()
  "Return the connection to the process, and start the process if necessary."
  (unless (and oauth-stdio--connection (jsonrpc-running-p oauth-stdio--connection))
    (unless (executable-find oauth-stdio-program) (error "%s cannot be run" oauth-stdio-program))
    (setq oauth-stdio--connection
          (make-instance
           'jsonrpc-process-connection
           :name "oauth-stdio"
           :process (lambda ()
                      ;; Through a pipe, because a terminal would cut long lines and change their ends.
                      (make-process :name "oauth-stdio" :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                                    :command (cons oauth-stdio-program oauth-stdio-arguments)
                                    :stderr (get-buffer-create " *oauth-stdio stderr*")))
           ;; The buffer of events would contain tokens.
           :events-buffer-scrollback-size 0
           :notification-dispatcher #'oauth-stdio--hear)))
  oauth-stdio--connection)

(defun oauth-stdio--hear (_connection event params)
  "Show the user the page in PARAMS if EVENT is a sign-in request.
The answers report everything else."
  (pcase event
    ('signInWasRequested
     (let ((code (plist-get params :userCode)))
       (message "sign in here: %s%s" (plist-get params :url) (if code (concat "\nand type this code: " code) ""))))
    ('accountWasChanged (oauth-stdio-update-mode-line))))

(defun oauth-stdio-request (method params success failure)
  "Send METHOD with PARAMS, a plist, and return at once.
Call SUCCESS with the result, a plist.  Call FAILURE with the error's
message and the kind to branch on."
  (jsonrpc-async-request
   (oauth-stdio-connection) method params
   ;; The program itself has limits, 300 s for a sign-in and 60 s for a call, and then answers with an error.
   :timeout 600
   :success-fn success
   :error-fn (lambda (error) (funcall failure (plist-get error :message) (plist-get (plist-get error :data) :kind)))
   :timeout-fn (lambda () (funcall failure "the program does not answer" nil))))

(defun oauth-stdio-call (account params success failure)
  "Call the API of ACCOUNT with PARAMS, those of `callAPI'.
Ask the user to sign in first if necessary.
Call SUCCESS and FAILURE as `oauth-stdio-request' does."
  (let ((call (append (list :account account) params)))
    (oauth-stdio-request
     :callAPI call success
     (lambda (message &optional kind)
       (if (equal kind "signInRequired")
           (oauth-stdio-request
            :authorize (list :account account) (lambda (_) (oauth-stdio-request :callAPI call success failure)) failure)
         (funcall failure message kind))))))

;;; Commands

(defun oauth-stdio--read-account (prompt)
  "Ask for an account with PROMPT."
  (completing-read prompt (mapcar (lambda (state) (plist-get state :account)) (oauth-stdio--states))))

(defun oauth-stdio--states ()
  "Return the states of all accounts."
  (append (plist-get (jsonrpc-request (oauth-stdio-connection) :accounts nil) :accounts) nil))

;;;###autoload
(defun oauth-stdio-login (account)
  "Sign in ACCOUNT."
  (interactive (list (oauth-stdio--read-account "Sign in: ")))
  (oauth-stdio-request
   :authorize (list :account account)
   (lambda (_) (message "%s: signed in" account))
   (lambda (text &optional _kind) (message "%s: %s" account text))))

;;;###autoload
(defun oauth-stdio-paste (address)
  "Finish a sign-in with ADDRESS.
A browser on another machine ends with an error page; that page has it."
  (interactive "sAddress of the error page: ")
  (oauth-stdio-request
   :handleRedirect (list :url address)
   (lambda (result) (unless (eq t (plist-get result :handled)) (message "%s" (plist-get result :reason))))
   (lambda (text &optional _kind) (message "%s" text))))

;;;###autoload
(defun oauth-stdio-logout (account)
  "Delete the grant of ACCOUNT, also at the provider if possible."
  (interactive (list (oauth-stdio--read-account "Sign out: ")))
  (oauth-stdio-request
   :revoke (list :account account)
   (lambda (_) (message "%s: signed out" account))
   (lambda (text &optional _kind) (message "%s: %s" account text))))

;;; Mode line

(defun oauth-stdio-update-mode-line ()
  "Ask for the signed-in accounts, and show them."
  (oauth-stdio-request
   :accounts nil
   (lambda (result)
     (setq oauth-stdio--accounts
           (delq nil (mapcar (lambda (state) (and (eq t (plist-get state :canAuthorize)) (plist-get state :account)))
                             (plist-get result :accounts))))
     (force-mode-line-update t))
   #'ignore))

;;;###autoload
(define-minor-mode oauth-stdio-mode-line-mode
  "Show the signed-in accounts in the mode line.
Sign-ins of other processes show up, too."
  :global t
  (setq global-mode-string (delete '(:eval (oauth-stdio-mode-line)) global-mode-string))
  (when oauth-stdio-mode-line-mode
    (setq global-mode-string (append (or global-mode-string '("")) '((:eval (oauth-stdio-mode-line)))))
    (oauth-stdio-update-mode-line)))

(defun oauth-stdio-mode-line ()
  "Return the mode line's text."
  (if oauth-stdio--accounts (format " [%s]" (string-join oauth-stdio--accounts " ")) ""))

;;; auth-source

(defun oauth-stdio--token (account)
  "Return the access token of ACCOUNT.  Ask the user to sign in first if necessary."
  (let ((ask (lambda () (plist-get (jsonrpc-request (oauth-stdio-connection) :accessToken (list :account account) :timeout 120)
                                   :accessToken))))
    (condition-case error
        (funcall ask)
      (jsonrpc-error
       (unless (equal (plist-get (alist-get 'jsonrpc-error-data (cdr error)) :kind) "signInRequired")
         (signal (car error) (cdr error)))
       (jsonrpc-request (oauth-stdio-connection) :authorize (list :account account) :timeout 600)
       (funcall ask)))))

(cl-defun oauth-stdio--auth-source-search (&key host user port max &allow-other-keys)
  "Return the entries of `oauth-stdio-hosts' for HOST, with USER and PORT.
There are at most MAX.  The secret is a function, so the token is asked
for when it is used."
  (let (found)
    (dolist (each (if (listp host) host (list host)) (seq-take (nreverse found) (or max 1)))
      (when-let ((account (cdr (assoc each oauth-stdio-hosts))))
        (push (list :host each :user (if (listp user) (car user) user) :port (if (listp port) (car port) port)
                    :secret (lambda () (oauth-stdio--token account)))
              found)))))

(defun oauth-stdio--auth-source-parse (entry)
  "Return the backend if ENTRY of `auth-sources' is the symbol `oauth-stdio'."
  (when (eq entry 'oauth-stdio)
    (auth-source-backend-parse-parameters
     entry (auth-source-backend :source "oauth-stdio" :type 'oauth-stdio :search-function #'oauth-stdio--auth-source-search))))

;;;###autoload
(defun oauth-stdio-auth-source-enable ()
  "Let auth-source find the access tokens of `oauth-stdio-hosts'."
  (interactive)
  (add-hook 'auth-source-backend-parser-functions #'oauth-stdio--auth-source-parse)
  (add-to-list 'auth-sources 'oauth-stdio)
  ;; Another package's search may have remembered that there is nothing.
  (auth-source-forget-all-cached))

(provide 'oauth-stdio)
;;; oauth-stdio.el ends here
