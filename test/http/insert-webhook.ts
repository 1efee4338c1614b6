/** Statements for a webhook with this id, which the API would choose itself. Its address is refused, so nothing is sent. */
export function insertWebhook(tenantId: number, id: string): string {
  return `insert into webhook
    (id, tenant_id, url, description, events, filter, batch_size, state, secret, turn, seq, created_at)
    values ('${id}', ${tenantId}, 'https://127.0.0.1/${id}', '${id}', '["account.created"]',
      '{"sources":[],"fields":[],"values":{}}', 100, 'active', 'whsec_AAAA', 0, 0, 1);`;
}
