/** The page of a direct start: the token leaves the address bar and the history at once. */
history.replaceState(null, '', location.pathname);
