import { describe, expect, it } from 'vitest'
import { plainHeaders } from '../testing/provider-options.ts'
import { signedTime, type SignedTimeOptions } from './stamps.ts'

const now = Date.UTC(2026, 0, 1)
const reasonOf = (text: string, options: SignedTimeOptions = {}, at = now) => {
  const read = signedTime({ header: 'x-time', ...options }).read(
    plainHeaders({ 'x-time': text }),
    { signatures: [] },
    at,
  )
  return typeof read === 'string' ? 'read' : read.reason
}

describe('signedTime', () => {
  it('reads seconds, milliseconds and dates, as they are written', () => {
    for (const unit of ['s', 'ms', 'rfc3339'] as const) {
      const time = signedTime({ header: 'X-Time', unit })
      const text = time.make(new Headers(), now + 999)
      expect(time.header).toBe('x-time')
      expect(time.read(new Headers({ 'x-time': text }), { signatures: [] }, now)).toBe(text)
    }
    expect(reasonOf('2026-01-01T02:04:59+02:00', { unit: 'rfc3339' })).toBe('read')
    expect(reasonOf('2026-01-01T00:00:00.123456789Z', { unit: 'rfc3339' })).toBe('read')
  })

  it.each([
    '',
    ' ',
    '-1767225600',
    '+1767225600',
    '1.7672256e9',
    '1767225600.0',
    '0x69556b00',
    '01767225600',
    ' 1767225600',
    '1767225600 ',
    '1767225600, 1767225600',
    '１７６７２２５６００',
    'NaN',
    'Infinity',
    'now',
    '9'.repeat(16),
    '0',
  ])('refuses %j as a number of seconds', (text) => {
    expect(reasonOf(text)).toBe('malformed')
  })

  it.each([
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00Z',
    '1 Jan 2026 00:00:00 GMT',
    '2026-01-01T00:00:00z',
    '+002026-01-01T00:00:00Z',
    '1767225600',
  ])('refuses %j as a date', (text) => {
    expect(reasonOf(text, { unit: 'rfc3339' })).toBe('malformed')
  })

  it('holds both directions to the tolerance', () => {
    const at = (seconds: number) => reasonOf(String(now / 1000 + seconds), { toleranceSeconds: 60 })
    expect([-61, -60, 0, 60, 61].map(at)).toEqual(['expired', 'read', 'read', 'read', 'expired'])
    // Milliseconds read as seconds lie in a far future.
    expect(reasonOf(String(now))).toBe('expired')
  })

  // It once refused what was exactly as old as the tolerance, unless the clock stood on a whole second.
  it.each([0, 1, 500, 999])('has both edges of whole seconds inside, %d ms into a second', (into) => {
    const at = (seconds: number) => reasonOf(String(now / 1000 + seconds), {}, now + into)
    expect([-301, -300, 300, 301].map(at)).toEqual(['expired', 'read', 'read', 'expired'])
  })

  it('holds milliseconds to the millisecond', () => {
    const at = (ms: number) => reasonOf(String(now + 500 + ms), { unit: 'ms' }, now + 500)
    expect([-300_001, -300_000, 300_000, 300_001].map(at)).toEqual(['expired', 'read', 'read', 'expired'])
  })

  it('refuses a delivery without a time', () => {
    const missing = { verified: false, reason: 'missing' }
    expect(signedTime({ header: 'x-time' }).read(new Headers(), { signatures: [] }, now)).toEqual(missing)
    expect(signedTime().read(new Headers(), { signatures: [] }, now)).toEqual(missing)
  })

  it.each([0, -1, NaN, Infinity])('does not take a tolerance of %d', (toleranceSeconds) => {
    expect(() => signedTime({ toleranceSeconds })).toThrow(TypeError)
  })
})
