/** The lines that an import prints on standard error, without progress lines. */
export function messagesIn(stderr: string): string[] {
  return stderr.split('\n').filter((line) => !/^.+: [\d,]+ records \(.+\), .+ rejected/.test(line));
}
