import { expect, it } from 'vitest'
import type { Io } from './io.ts'
import { tail } from './tail.ts'

/** Follows a server until the first delivery, and returns the printed line. */
async function printFirst(subject: string, json: boolean): Promise<string> {
  const ended = new AbortController()
  const lines: string[] = []
  const delivery = {
    id: 'one',
    provider: 'github',
    kind: subject,
    subject,
    status: 'published',
    created_at: '2026',
  }
  const io = {
    env: {},
    err: () => undefined,
    now: () => 0,
    out(line: string) {
      lines.push(line)
      ended.abort()
    },
    catchInterrupt: () => ended.signal,
    fetch: async () =>
      new Response(`id: 2\nevent: delivery\ndata: ${JSON.stringify(delivery)}\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      }),
  } as unknown as Io
  await tail({ url: 'http://127.0.0.1:1', token: 'token', json }, io)
  expect(lines).toHaveLength(1)
  return lines.join()
}

// A CSI sequence of C1, an override of the direction, and a line separator.
const hostile = 'a\u009b31mb\u202ec\u2028d\u{e0041}'

it.each([true, false])('prints no control characters of a delivery, with --json %s', async (json) => {
  expect(await printFirst(hostile, json)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
})

it('prints JSON that has the characters of the delivery', async () => {
  expect(JSON.parse(await printFirst(hostile, true))).toMatchObject({ subject: hostile })
})
