/** Of these sentences the page says nothing: they belong to other front ends, and some errors to `/v1` alone. */
export const ELSEWHERE =
  /^(?:(?:chat|cli|console|discord|draft|offers|setup|telegram)\.|error\.(?:body_|field_not_file|idempotency_|method_unknown|origin_refused|route_unknown|scope_missing|token_(?:invalid|missing)|too_many_(?:files|parts)|version_unknown))/;
