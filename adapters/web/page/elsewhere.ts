/** Of these sentences the page says nothing: they belong to other front ends, and some errors to `/v1`, the command line or the console alone. */
export const ELSEWHERE =
  /^(?:(?:alert|chat|cli|console|discord|draft|offers|setup|telegram|whatsapp)\.|keys\.(?:jobs|since|state|unreadable|weight)\b|error\.(?:body_|field_not_file|idempotency_|key_(?:in_pool|name|no_service|of_environment|same_account|unknown)|method_unknown|origin_refused|route_unknown|scope_missing|test_mode_missing|token_(?:invalid|missing)|too_many_(?:files|parts)|version_unknown))/;
