import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PasswordHashing } from './password-hashing.js';

const FORM = /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/;

/** A hash with another cost. */
function hashed(password: string, { logN, r, p }: { logN: number; r: number; p: number }): string {
  const salt = Buffer.from('sixteen bytes ok');
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$scrypt$ln=${logN},r=${r},p=${p}$${text(salt)}$${text(scryptSync(password, salt, 32, { N: 2 ** logN, r, p }))}`;
}

const CHEAP = hashed('right', { logN: 1, r: 8, p: 1 });

describe('PasswordHashing', () => {
  it('makes a PHC string with a salt of its own, which scrypt verifies', async () => {
    const passwords = new PasswordHashing();
    const [one, other] = await Promise.all([passwords.hash('the same'), passwords.hash('the same')]);
    for (const stored of [one, other]) expect(stored).toMatch(FORM);
    expect(one).not.toBe(other);
    const [salt = '', hash = ''] = (one ?? '').split('$').slice(3);
    const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 };
    const expected = scryptSync('the same', Buffer.from(salt, 'base64'), 32, options);
    expect(Buffer.from(hash, 'base64')).toEqual(expected);
    expect(await passwords.verify('the same', one ?? '')).toEqual({ isRight: true });
    expect(await passwords.verify('the sane', one ?? '')).toEqual({ isRight: false });
  });

  it('treats composed and decomposed characters as the same, and nothing else', async () => {
    const passwords = new PasswordHashing();
    const stored = hashed('caf\u00e9', { logN: 1, r: 8, p: 1 });
    expect((await passwords.verify('cafe\u0301', stored)).isRight).toBe(true);
    for (const other of ['cafe', 'CAF\u00c9', 'caf\u00e9 ', ' caf\u00e9', 'ca\ufb00\u00e9', ''])
      expect((await passwords.verify(other, stored)).isRight, other).toBe(false);
  });

  it('replaces a hash of a lower cost, and only if the password is right', async () => {
    const passwords = new PasswordHashing();
    expect(await passwords.verify('wrong', CHEAP)).toEqual({ isRight: false });
    const { isRight, rehashed = '' } = await passwords.verify('right', CHEAP);
    expect([isRight, rehashed]).toEqual([true, expect.stringMatching(FORM)]);
    expect(await passwords.verify('right', rehashed)).toEqual({ isRight: true });
  });

  it('accepts no password without a stored hash, with the same work', async () => {
    const passwords = new PasswordHashing();
    const timed = async (stored: string | null) => {
      const startedAt = performance.now();
      expect(await passwords.verify('anything', stored)).toEqual({ isRight: false });
      return performance.now() - startedAt;
    };
    const stored = await passwords.hash('something else');
    const [known, unknown] = [await timed(stored), await timed(null)];
    // Without work it would be thousands of times faster; the factor is for a busy machine.
    expect(unknown).toBeGreaterThan(known / 20);
  });

  it('fails for what is no hash of this service, also without a word about it', async () => {
    const passwords = new PasswordHashing();
    for (const stored of ['', 'right', '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', CHEAP.slice(1)]) {
      const failure = await passwords.verify('right', stored).catch((error: Error) => error.message);
      expect(failure).toBe('A stored password is not in the form of this service.');
    }
    expect((await passwords.verify('right', CHEAP)).isRight, 'goes on').toBe(true);
  });

  it('computes one at a time, in order, and rejects the 21st at once', async () => {
    const passwords = new PasswordHashing();
    const finished: number[] = [];
    const waiting = Array.from({ length: 20 }, async (_, i) => {
      await passwords.verify('wrong', CHEAP);
      finished.push(i);
    });
    await expect(passwords.hash('one more')).rejects.toMatchObject({
      code: 'sign_in_busy',
      status: 503,
      headers: { 'retry-after': '2' },
    });
    await expect(passwords.verify('right', CHEAP)).rejects.toMatchObject({ code: 'sign_in_busy' });
    expect(finished).toEqual([]);
    await Promise.all(waiting);
    expect(finished).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect((await passwords.verify('right', CHEAP)).isRight).toBe(true);
  });

  it('frees its place after a failure', async () => {
    const passwords = new PasswordHashing();
    for (let i = 0; i < 30; i += 1) await expect(passwords.verify('right', 'broken')).rejects.toThrow();
    expect((await passwords.verify('wrong', CHEAP)).isRight).toBe(false);
  });
});
