/**
 * Of these sentences the page says nothing: they belong to other front ends, to groups or to operators, and some errors to `/v1`, the
 * command line or the console alone.
 */
export const ELSEWHERE =
  /^(?:(?:alert|chat|cli|console|discord|draft|group|offers|operator|partner|ping|setup|telegram|whatsapp)\.|keys\.(?:jobs|since|state|unreadable|weight)\b|action\.show_here$|view\.sent\.|error\.(?:body_|deletion_needs_key|field_not_file|idempotency_|key_(?:in_pool|name|no_service|of_environment|same_account|unknown)|log_permission_missing|method_unknown|origin_refused|page_unbuilt|partner_|result_missing|route_unknown|sandbox_damaged|scope_missing|test_mode_missing|token_(?:invalid|missing)|too_many_(?:files|parts|webhooks)|version_unknown|webhook_))/;
