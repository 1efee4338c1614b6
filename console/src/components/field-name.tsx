import { useFields } from '../api/attributes';

/** What people call a field. The name that systems send is in the tooltip, if it is another one. */
export function FieldName({ name }: { name: string }) {
  const { label, title } = useFields()(name);
  return <span title={title}>{label}</span>;
}
