/** Hidden, for password managers: they store a new password with this address. */
export function UserNameField({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />;
}
