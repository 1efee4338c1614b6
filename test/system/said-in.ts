/** The lines on standard error of an import, without those that tell how far it is. */
export function saidIn(stderr: string): string[] {
  return stderr.split('\n').filter((line) => !/^.+: [\d,]+ records \(.+\), .+ refused/.test(line));
}
