import { Stack } from '@mantine/core';
import { useSession } from '../../api/session';
import { useSignInMethods } from '../../api/sign-in';
import { PageHead } from '../../components/page-head';
import { NameForm } from './name-form';
import { PasswordForm } from './password-form';
import { SessionsPanel } from './sessions-panel';

/** The signed-in user, and where the user is signed in. For a key, only the sessions. */
export default function Profile() {
  const user = useSession().data?.user ?? null;
  const methods = useSignInMethods().data;
  return (
    <>
      <PageHead
        title={user === null ? 'Sessions' : 'Profile and sessions'}
        description={
          user === null
            ? 'The browsers that are signed in with this key.'
            : 'Your name and password, and where you are signed in.'
        }
      />
      <Stack gap="lg" maw={820}>
        {user !== null && <NameForm user={user} />}
        {user !== null && methods?.password === true && <PasswordForm email={user.email} />}
        <SessionsPanel isUser={user !== null} />
      </Stack>
    </>
  );
}
