import { Caution } from '../../../components/caution';

/** The draft stays, so that what was entered is not lost. */
export function DeletedNote() {
  return (
    <Caution title="The account was deleted meanwhile">
      Your changes cannot be saved. Copy what you want to keep, and close the form.
    </Caution>
  );
}
