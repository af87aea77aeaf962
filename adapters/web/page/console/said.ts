/** Of all sentences the console says these: most of them are of no use to it. */
export const SAID =
  /^(?:(?:console|field|operation|platform|state|choice\.locale|cli\.act|page\.(?:login|refused|theme))\.|page\.(?:cancel|language|opening|reconnecting|reload|sandbox)$|fact\.tokens|error\.(?:bad_request|internal|changed_meanwhile|key_in_words|media_\w+|not_found|role_may_not|result_gone|stale_button|storage_down|undeliverable)$)/;
