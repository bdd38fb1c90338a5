import { describe, expect, it } from 'vitest'
import { sallyport } from '../test/answer-api.ts'

const billing = {
  ...{ name: 'billing', state: 'paused', mode: 'original', order: 'none', concurrency: 10, pending: 12 },
  ...{ rate_per_second: null, paused_at: '2026-01-01T00:00:00.000Z', pause_reason: 'Gone' },
  ...{ opened_at: null, probe_at: null, oldest_at: '2026-01-01T00:00:00.000Z' },
  ...{ attempts: 40, error_share: 0.025, filtered: 0, last_success_at: null, last_success_status: null },
  redact: ['**.email', 'data.card'],
}
const list = [200, { data: { destinations: [billing] } }] as const
const changed = [200, { data: { changed: true } }] as const
const unchanged = [200, { data: { changed: false } }] as const

describe('destinations', () => {
  it('are listed', async () => {
    const { output, code } = await sallyport(['destinations'], list)
    expect(output).toMatch(
      /paused +original +12 +2026-01-01T00:00:00.000Z +2.5 % +- +billing\nDestinations: 1$/,
    )
    expect(code).toBe(0)
    const json = await sallyport(['destinations', '--json'], list)
    expect(JSON.parse(json.output)).toEqual([billing])
  })

  it('are shown with the facts that they have', async () => {
    const { output } = await sallyport(['destinations', 'show', 'billing'], list)
    expect(output).toContain('reason: Gone\nwaiting: 12\n')
    expect(output).toContain('redact: **.email, data.card\n')
    expect(output).not.toContain('next probe')
    const unknown = await sallyport(['destinations', 'show', 'crm'], list)
    expect(unknown).toMatchObject({
      code: 1,
      output: expect.stringContaining('no such destination') as string,
    })
  })

  it('are paused with a reason, and resumed', async () => {
    const paused = await sallyport(['destinations', 'pause', 'billing', '--reason', 'Maintenance'], changed)
    expect(paused).toMatchObject({ code: 0, output: 'Paused billing' })
    expect(paused.asked).toEqual([
      {
        url: 'http://localhost:3111/api/v1/destinations/billing/pause',
        ...{ method: 'POST', body: { reason: 'Maintenance' } },
      },
    ])
    const again = await sallyport(['destinations', 'pause', 'billing'], unchanged)
    expect(again).toMatchObject({ output: 'The destination was paused before', asked: [{ body: undefined }] })
    const resumed = await sallyport(['destinations', 'resume', 'billing'], changed)
    expect(resumed).toMatchObject({
      output: 'Resumed billing',
      asked: [{ url: 'http://localhost:3111/api/v1/destinations/billing/resume' }],
    })
  })

  it('receive a delivery again, each alone', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057'
    const data = { outcome: 'replayed', reason: null, events: ['a'], note: null }
    const { code, asked } = await sallyport(['replay', id, '--destination', 'billing'], [202, { data }])
    expect(code).toBe(0)
    expect(asked).toMatchObject([{ body: { destination: 'billing' } }])
    const many = await sallyport(
      ['replay', '--destination', 'billing', '--dry-run'],
      [200, { data: { deliveries: 3, truncated: false } }],
    )
    expect(many).toMatchObject({
      output: 'Matching deliveries: 3',
      asked: [{ body: { destination: 'billing' } }],
    })
  })
})
