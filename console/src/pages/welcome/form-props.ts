import type { Link } from '../../api/links';
import type { SignInMethods } from '../../api/sign-in';

export interface LinkFormProps {
  readonly token: string;
  readonly link: Link;
  readonly methods: SignInMethods;
  readonly onSignedIn: () => void;
}
