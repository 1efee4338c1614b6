export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events. An event without the blank line that ends it is incomplete and is dropped. */
export async function* serverSentEvents(lines: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of lines) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = 'message';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
  }
}
