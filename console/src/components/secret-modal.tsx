import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface SecretModalProps {
  /** Undefined closes the dialog. */
  readonly title: string | undefined;
  /** Whether it shows a secret now, which can be read only once: then only the button of the view closes the dialog. */
  readonly isSecret: boolean;
  readonly size?: ModalProps['size'];
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that leads to a secret. No exit transition: its content is dropped when it closes. */
export function SecretModal({ title, isSecret, size = 'lg', onClose, children }: SecretModalProps) {
  return (
    <Modal
      opened={title !== undefined}
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={!isSecret}
      closeOnEscape={!isSecret}
      withCloseButton={!isSecret}
      transitionProps={{ exitDuration: 0 }}
    >
      {children}
    </Modal>
  );
}
