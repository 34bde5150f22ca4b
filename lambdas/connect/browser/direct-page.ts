/** Removes the token from the address bar and the history at once. */
history.replaceState(null, '', location.pathname);
