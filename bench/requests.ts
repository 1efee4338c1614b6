/** Accounts as a CRM would send them: half of them new, half of them changed. */
let counter = 0;

function account(id: number) {
  return {
    account_id: `Account-${id}`,
    parent_account_id: `holding-${id % 100}`,
    name: `Account number ${id}`,
    licenses: counter % 1000,
    custom_Is_Valid: id % 2 === 0,
    custom_External_Created_On: '2021-05-31',
    custom_External_Created_At: '2021-05-31T10:20:30Z',
  };
}

function nextAccount() {
  counter += 1;
  // An even number is a new account; an odd one changes an account that was new a while ago.
  return account(counter % 2 === 0 ? counter : Math.max(2, (counter - 1) / 2 - (((counter - 1) / 2) % 2)));
}

function asRequest(path: string, key: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export function singleRequests(key: string): () => Buffer {
  return () => asRequest('/api/v1_1/account', key, JSON.stringify(nextAccount()));
}

export function batchRequests(key: string, size: number): () => Buffer {
  return () =>
    asRequest('/api/v1_1/accounts', key, JSON.stringify(Array.from({ length: size }, nextAccount)));
}
