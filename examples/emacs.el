;;; emacs.el --- A client of oauth-stdio for Emacs  -*- lexical-binding: t -*-

;; Lets a package call an API for its user. It asks the user to sign in if necessary:
;;
;;   (oauth-stdio-call "github" '(:url "user") (lambda (answer) (message "%s" (plist-get answer :body)))
;;     (lambda (text &optional _kind) (message "%s" text)))
;;
;; Accounts have their names in the program's configuration.  Needs Emacs 28, for the jsonrpc.el that it brings.

;;; Code:

(require 'jsonrpc)

(defvar oauth-stdio-program (or (getenv "OAUTH_STDIO") "oauth-stdio") "The program.")

(defvar oauth-stdio-arguments
  (let ((file (getenv "OAUTH_CONFIG"))) (and file (list "--config" file)))
  "The program's arguments.  Without any, it reads its own configuration.")

(defvar oauth-stdio--connection nil "The connection to the only process of this Emacs.")

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
           :notification-dispatcher #'oauth-stdio--hear)))
  oauth-stdio--connection)

(defun oauth-stdio--hear (_connection event params)
  "Show the user the page in PARAMS if EVENT is a sign-in request.
The answers report everything else."
  (when (eq event 'signInWasRequested)
    (let ((code (plist-get params :userCode)))
      (message "sign in here: %s%s" (plist-get params :url) (if code (concat "\nand type this code: " code) "")))))

(defun oauth-stdio-request (method params success failure)
  "Send METHOD with PARAMS, a plist, and return at once.
Call SUCCESS with the result, a plist, or FAILURE with the error's message and the kind to branch on."
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

(provide 'oauth-stdio)
;;; emacs.el ends here
