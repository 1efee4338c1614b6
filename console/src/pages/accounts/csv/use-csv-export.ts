import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ExportRequest, exportAccounts } from './export-accounts';

/** Runs one export at a time. Leaving the page cancels it. */
export function useCsvExport() {
  const controller = useRef<AbortController | undefined>(undefined);
  const [progress, setProgress] = useState(0);
  const { mutate, reset, ...state } = useMutation({
    mutationFn: (request: ExportRequest) => {
      const { signal } = start(controller);
      return exportAccounts(request, signal, (accounts) => signal.aborted || setProgress(accounts));
    },
  });
  useEffect(() => () => controller.current?.abort(), []);
  return {
    ...state,
    progress,
    begin: (request: ExportRequest) => {
      setProgress(0);
      mutate(request);
    },
    /** Cancels a running export, or closes the notice about a finished one. */
    dismiss: () => {
      controller.current?.abort();
      reset();
    },
  };
}

function start(controller: { current: AbortController | undefined }): AbortController {
  controller.current?.abort();
  controller.current = new AbortController();
  return controller.current;
}

export type CsvExport = ReturnType<typeof useCsvExport>;
