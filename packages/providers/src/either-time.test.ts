import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eitherTime } from './either-time.ts'
import { lob } from './services/lob.ts'
import { zoom } from './services/zoom.ts'

const now = Date.UTC(2026, 0)

describe('a time in either unit', () => {
  const time = eitherTime({ header: 'x-time', toleranceSeconds: 60 })
  const read = (text: string) => {
    const found = time.read({ headers: new Headers({ 'x-time': text }) }, { signatures: [] }, now)
    return typeof found === 'string' ? 'read' : found.reason
  }

  it('has the tolerance in seconds and in milliseconds', () => {
    for (const unit of [1, 1000]) {
      const at = (seconds: number) => read(String((now / 1000 + seconds) * unit))
      expect([-61, -60, 60, 61].map(at)).toEqual(['expired', 'read', 'read', 'expired'])
    }
  })

  it('has no other form', () => {
    for (const text of ['', 'now', '1.5e9', '2026-01-01T00:00:00Z']) expect(read(text)).toBe('malformed')
  })
})

// Regression: a time in milliseconds was read as seconds in the far future. The unit of Lob is not confirmed.
it.each([
  ['Zoom', zoom, 'x-zm', (hash: string) => `v0=${hash}`, (time: string) => `v0:${time}:{}`],
  ['Lob', lob, 'lob', (hash: string) => hash, (time: string) => `${time}.{}`],
])('%s is accepted with either unit', async (_, provider, prefix, write, content) => {
  for (const time of [String(now), String(now / 1000)]) {
    const signature = write(createHmac('sha256', 'secret').update(content(time)).digest('hex'))
    const stamp = prefix === 'lob' ? 'lob-signature-timestamp' : 'x-zm-request-timestamp'
    const headers = new Headers({ [`${prefix}-signature`]: signature, [stamp]: time })
    const delivery = { method: 'POST', headers, body: Buffer.from('{}') }
    expect(await provider.signature.verify(delivery, ['secret'], now)).toMatchObject({ verified: true })
  }
})
