/** Accounts as a CRM would send them: of every two, one is new to its server and one changes a stored account. */
export class AccountSource {
  #sent = 0;

  next() {
    this.#sent += 1;
    const created = Math.ceil(this.#sent / 2);
    const isNew = this.#sent % 2 === 1;
    // One that was created a while ago, so that neither is it in the same batch nor always in the page cache.
    const id = isNew ? created : Math.ceil(created / 2);
    return {
      account_id: `Account-${id}`,
      parent_account_id: `holding-${id % 100}`,
      name: `Account number ${id}`,
      licenses: this.#sent,
      custom_Is_Valid: id % 2 === 0,
      custom_External_Created_On: '2021-05-31',
      custom_External_Created_At: '2021-05-31T10:20:30Z',
    };
  }
}

function asRequest(path: string, key: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export function singleRequest(source: AccountSource, key: string): Buffer {
  return asRequest('/api/v1_1/account', key, JSON.stringify(source.next()));
}

export function batchRequest(source: AccountSource, key: string, size: number): Buffer {
  const accounts = Array.from({ length: size }, () => source.next());
  return asRequest('/api/v1_1/accounts', key, JSON.stringify(accounts));
}
