import { describe, expect, it } from 'vitest'
import { sallyport } from '../test/answer-api.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const delivery = {
  id,
  provider: 'codehost',
  status: 'dead',
  reason: null,
  body_state: 'stored',
  body_bytes: 12,
  created_at: '2026-01-01T00:00:00.000Z',
}

describe('search', () => {
  it('prints what it found in bodies, and where the search stopped', async () => {
    const reached = '2026-01-01T00:00:00.000Z'
    const data = {
      deliveries: [delivery],
      searched: 2000,
      reached_at: reached,
      stopped: 'deliveries',
      next: 'c',
    }
    const { code, output, asked } = await sallyport(
      ['search', 'a@b.com', '--provider', 'codehost'],
      [200, { data }],
    )
    expect(asked).toMatchObject([{ method: 'POST', body: { body: 'a@b.com', provider: 'codehost' } }])
    expect([code, output]).toEqual([0, expect.stringContaining('Found 1 in 2000 deliveries')])
    expect(output).toContain(`The search stopped at ${reached}`)
  })
})

describe('unprocessed', () => {
  const kept = {
    ...{ id, provider: 'codehost', outcome: 'refused', kind: null, reason: 'mismatch', status: 401 },
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const job = {
    ...{ id, status: 'done', total: 2, processed: 2, replayed: 1, unchanged: 1, quarantined: 0, erased: 0 },
    ...{ events: 0, error: null },
  }

  it('lists kept deliveries with filters', async () => {
    const args = ['unprocessed', '--outcome', 'refused', '--since', '1970-01-01']
    const { code, output, asked } = await sallyport(args, [200, { data: [kept], meta: { total: 1 } }])
    const [path, query] = (asked[0]?.url ?? '').split('?')
    expect(path).toMatch(/\/unprocessed-deliveries$/)
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      ...{ outcome: 'refused', receivedAfter: '1970-01-01T00:00:00.000Z' },
    })
    expect([code, output]).toEqual([0, expect.stringMatching(/mismatch +401 +01890a5d[^\n]*\n1 of 1$/)])
  })

  it('shows one of them, and explains its refusal', async () => {
    const body = { encoding: 'utf-8', data: '{"a":1}' }
    const data = { ...kept, headers: { 'x-a': 'b\u001b' }, body, body_state: 'stored' }
    const shown = await sallyport(['unprocessed', 'show', id], [200, { data }])
    expect(shown.output).toContain('x-a: b \n')
    const mistakes = [{ code: 'SECRET_WHITESPACE', message: 'The secret has white space' }]
    const explained = await sallyport(
      ['unprocessed', 'explain', id],
      [200, { data: { verified: false, mistakes } }],
    )
    expect([explained.code, explained.output]).toEqual([1, expect.stringContaining('white space')])
  })

  it('processes one again, or all that match as a job', async () => {
    const one = await sallyport(
      ['unprocessed', 'replay', id],
      [202, { data: { outcome: 'accepted', reason: null } }],
    )
    expect([one.code, one.asked[0]?.url]).toEqual([0, expect.stringContaining(`/${id}/replays`)])
    const many = await sallyport(['unprocessed', 'replay', '--provider', 'codehost'], [202, { data: job }])
    expect(many.asked).toMatchObject([{ method: 'POST', body: { provider: 'codehost' } }])
    expect([many.code, many.output]).toEqual([0, expect.stringContaining('done: Deliveries: 2, 1 replayed')])
    for (const args of [[], [id, '--all']])
      expect(await sallyport(['unprocessed', 'replay', ...args])).toMatchObject({ code: 2, asked: [] })
  })
})

describe('audit', () => {
  it('lists actions with filters', async () => {
    const entry = {
      ...{ id, actor_id: 'ann', actor_name: null, action: 'deliveries.erase', target: null },
      ...{ detail: { deliveries: 2 }, created_at: '2026-01-01T00:00:00.000Z' },
    }
    const args = ['audit', '--action', 'deliveries.erase']
    const { output, asked } = await sallyport(args, [200, { data: [entry], meta: { total: 1 } }])
    expect(asked[0]?.url).toMatch(/\/audit\?action=deliveries\.erase$/)
    expect(output).toMatch(/ann +deliveries\.erase +\{"deliveries":2\}/)
  })
})

describe('endpoints', () => {
  const endpoint = {
    ...{ id: 'acme', provider: 'codehost', name: 'Acme', status: 'disabled', url: 'https://h.example/x' },
    secrets: [{ id: 's1', created_at: '2026-01-01T00:00:00.000Z' }],
  }

  it('creates an endpoint, and prints the secret alone on standard output', async () => {
    const args = ['endpoints', 'create', 'codehost', 'Acme']
    const { output, asked } = await sallyport(args, [201, { data: { ...endpoint, secret: 'shown-once' } }])
    expect(asked).toMatchObject([{ method: 'POST', body: { provider: 'codehost', name: 'Acme' } }])
    expect(output).toMatch(/shown once:\nshown-once$/)
  })

  it('disables, shows and deletes an endpoint, and changes its secrets', async () => {
    const disabled = await sallyport(['endpoints', 'disable', 'acme'], [200, { data: endpoint }])
    expect(disabled.asked).toMatchObject([{ method: 'PATCH', body: { status: 'disabled' } }])
    expect((await sallyport(['endpoints', 'show', 'acme'], [200, { data: endpoint }])).output).toContain(
      'secret s1',
    )
    expect(await sallyport(['endpoints', 'delete', 'acme'])).toMatchObject({ code: 2, asked: [] })
    const added = await sallyport(
      ['endpoints', 'add-secret', 'acme'],
      [201, { data: { id: 's2', secret: 'new' } }],
    )
    expect(added.output).toMatch(/\nnew$/)
  })
})

describe('keys create', () => {
  it.each([
    [[], '1970-04-01T00:00:00.000Z'],
    [['--expires', '1d'], '1970-01-02T00:00:00.000Z'],
    [['--expires', 'never'], null],
  ])('expires by default in 90 days: %j', async (args, expires_at) => {
    const created = { data: { id, name: 'CI', key: 'sp_x' } }
    const { asked } = await sallyport(['keys', 'create', 'CI', '--scope', 'a', ...args], [201, created])
    expect(asked).toMatchObject([{ body: { name: 'CI', expires_at } }])
  })
})

describe('keys create', () => {
  it('limits a key to endpoints', async () => {
    const created = { data: { id, name: 'CI', key: 'sp_x' } }
    const args = ['keys', 'create', 'CI', '--scope', 'a', '--endpoints', 'region=eu']
    const { asked } = await sallyport(args, [201, created])
    expect(asked).toMatchObject([{ body: { endpoints: 'region=eu' } }])
  })
})

describe('endpoints', () => {
  it('lists the endpoints with labels', async () => {
    const page = { data: [], meta: { total: 0 } }
    const { asked } = await sallyport(['endpoints', '--labels', 'region=eu,plan=gold'], [200, page])
    expect(asked[0]?.url).toMatch(/\/endpoints\?labels=region%3Deu%2Cplan%3Dgold$/)
  })

  it('creates an endpoint with labels', async () => {
    const endpoint = {
      id: 'acme',
      provider: 'codehost',
      name: 'Acme',
      status: 'active',
      url: '/',
      secrets: [],
    }
    const args = ['endpoints', 'create', 'codehost', 'Acme', '--label', 'region=eu', 'plan=a=b']
    const { asked } = await sallyport(args, [201, { data: endpoint }])
    expect(asked).toMatchObject([{ body: { labels: { region: 'eu', plan: 'a=b' } } }])
    const refused = await sallyport(['endpoints', 'create', 'codehost', 'Acme', '--label', 'eu'])
    expect([refused.code, refused.asked]).toEqual([2, []])
  })
})

describe('erase', () => {
  const none = { deliveries: 0, cancelled: 0, unprocessed: 0, busy: 0, next: null }

  it('counts in a dry run without --yes', async () => {
    const args = ['erase', '--value', 'a@b.com', '--dry-run']
    const { code, output, asked } = await sallyport(args, [
      200,
      { data: { ...none, deliveries: 2, busy: 1 } },
    ])
    expect(asked).toMatchObject([{ body: { value: 'a@b.com', dry_run: true } }])
    expect([code, output]).toEqual([0, expect.stringContaining('Would erase deliveries: 2')])
  })

  it('erases nothing without --yes', async () => {
    const { code, asked } = await sallyport(['erase', '--value', 'a@b.com'])
    expect([code, asked]).toEqual([2, []])
  })
})

describe('deliveries', () => {
  it('prints a table, or JSON with escaped control characters', async () => {
    const page = { data: [{ ...delivery, provider: 'a\u009b31m\u202e' }], meta: { total: 7 } }
    const args = [
      'deliveries',
      '--status',
      'dead',
      '--provider',
      'codehost',
      '-n',
      '1',
      '-u',
      'http://x/api/v1',
    ]
    const { code, output, asked } = await sallyport(args, [200, page])
    expect(code).toBe(0)
    expect(output.split('\n')).toEqual([
      'received                  provider  status  id',
      `2026-01-01T00:00:00.000Z  a 31m     dead    ${id}`,
      '1 of 7',
    ])
    expect(asked[0]?.url).toBe('http://x/api/v1/deliveries?status=dead&provider=codehost&limit=1')
    const json = await sallyport([...args, '--json'], [200, page])
    expect(json.output).toContain('"a\\u009b31m\\u202e"')
    expect(JSON.parse(json.output)).toEqual(page.data)
  })

  it('prints events that the bus already had', async () => {
    const state = { state: 'published', attempts: 1, due_at: null, failures: [], notification: null }
    const event = { id: 'codehost:a:1', name: 'codehost/a.b', route: 'direct', duplicate: true, ...state }
    const { output } = await sallyport(['deliveries', id], [200, { data: { ...delivery, events: [event] } }])
    expect(output).toContain('duplicate: the bus knew the id, and stored nothing')
  })

  it('prints one delivery with its events and their attempts', async () => {
    const failures = [{ at: '2026-01-01T00:00:01.000Z', error: 'TimeoutError' }]
    const notification = { state: 'waiting', attempts: 0, due_at: null, failures: [] }
    const state = { state: 'dead', attempts: 9, due_at: null, failures, notification }
    const events = [{ id: 'codehost:a:1', name: 'codehost/a.b', route: 'direct', ...state }]
    const { output, asked } = await sallyport(
      ['deliveries', '../x'],
      [200, { data: { ...delivery, events } }],
    )
    expect(output.split('\n')).toEqual([
      `${id}  codehost  dead`,
      '  received 2026-01-01T00:00:00.000Z, 12 bytes, body stored',
      '  codehost/a.b  codehost:a:1  direct',
      '    event dead, attempts: 9',
      '      2026-01-01T00:00:01.000Z  TimeoutError',
      '    notification waiting, attempts: 0',
    ])
    expect(asked[0]?.url).toBe('http://localhost:3111/api/v1/deliveries/..%2Fx')
  })
})

describe('replay', () => {
  it('prints the events of one delivery and fails if the delivery stays quarantined', async () => {
    const replayed = { outcome: 'replayed', reason: null, events: ['codehost:a:1'] }
    const { code, output, asked } = await sallyport(['replay', id, '--as-new'], [202, { data: replayed }])
    expect([code, output]).toEqual([0, 'replayed\n  codehost:a:1'])
    expect(asked).toEqual([
      {
        url: `http://localhost:3111/api/v1/deliveries/${id}/replays`,
        method: 'POST',
        body: { as_new: true },
      },
    ])
    const quarantined = { outcome: 'quarantined', reason: 'NORMALIZER_FAILED', events: [] }
    expect(await sallyport(['replay', id], [202, { data: quarantined }])).toMatchObject({
      code: 1,
      output: 'quarantined: NORMALIZER_FAILED',
    })
  })

  it('prints the note of the server', async () => {
    const note = 'Send {"as_new": true} when consumers need them again.'
    const replayed = { outcome: 'replayed', reason: null, events: ['codehost:a:1'], note }
    expect((await sallyport(['replay', id], [202, { data: replayed }])).output).toContain(note)
  })

  const job = {
    ...{ id: 'job-1', status: 'running', total: 4, processed: 0, error: null },
    ...{ replayed: 0, unchanged: 0, quarantined: 0, erased: 0, events: 0 },
  }
  const done = { ...job, status: 'done', processed: 4, replayed: 3, unchanged: 1, events: 6 }

  it('waits for a job of the server that replays all that match', async () => {
    const { code, output, asked } = await sallyport(
      ['replay', '--status', 'dead', '--min-attempts', '3', '--since', '1970-01-01T00:00:00Z', '--as-new'],
      [202, { data: job }],
      [200, { data: { ...job, processed: 2, replayed: 2 } }],
      [200, { data: done }],
    )
    expect([code, output]).toEqual([0, 'done: Deliveries: 4, 3 replayed, 1 unchanged; events to publish: 6'])
    expect(asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /api/v1/replay-jobs',
      'GET /api/v1/replay-jobs/job-1',
      'GET /api/v1/replay-jobs/job-1',
    ])
    expect(asked[0]?.body).toEqual({
      status: 'dead',
      min_attempts: 3,
      received_after: '1970-01-01T00:00:00.000Z',
      as_new: true,
    })
  })

  it.each([
    [['replay', '--all'], {}, '4 skipped as handled by consumers'],
    [['replay', '--all', '--reprocess'], { reprocess: true }, '4 handled again by consumers'],
  ])('says what consumers do with handled events: %j', async (args, mode, expected) => {
    const ended = { ...done, ...mode, handled: 4 }
    const { code, output, asked } = await sallyport(args, [202, { data: ended }])
    expect([code, asked[0]?.body]).toEqual([0, { all: true, as_new: false, ...mode }])
    expect(output).toContain(expected)
  })

  it('refuses two modes', async () => {
    expect(await sallyport(['replay', id, '--as-new', '--reprocess'])).toMatchObject({ code: 2 })
  })

  it.each([
    ['stays in quarantine', { ...done, quarantined: 1 }, 'done: '],
    ['failed', { ...done, status: 'failed', error: 'The inbox is unavailable' }, 'The inbox is unavailable'],
    ['was canceled by another operator', { ...done, status: 'canceled' }, 'canceled: '],
  ])('fails if a job %s', async (_, ended, expected) => {
    const { code, output } = await sallyport(['replay', '--all'], [202, { data: ended }])
    expect(code).toBe(1)
    expect(output).toContain(expected)
  })

  it('names the job if its progress cannot be read', async () => {
    const expired = { error: { code: 'INVALID_TOKEN', message: 'words' } }
    const { code, output } = await sallyport(['replay', '--all'], [202, { data: job }], [401, expired])
    expect(code).toBe(1)
    expect(output).toContain('The server continues the job job-1')
  })

  it('counts the deliveries with --dry-run', async () => {
    const args = ['replay', '--kind', 'push', '--until', '1970-01-02T00:00:00Z', '--dry-run']
    const { code, output, asked } = await sallyport(args, [200, { data: { deliveries: 7, truncated: true } }])
    expect([code, output]).toEqual([0, 'Matching deliveries: 7 or more'])
    expect(asked[0]).toMatchObject({
      url: 'http://localhost:3111/api/v1/replays',
      body: { kind: 'push', received_before: '1970-01-02T00:00:00.000Z', dry_run: true },
    })
    expect((await sallyport(['replay', id, '--dry-run'])).code).toBe(2)
  })
})

it('passes all filters to the list', async () => {
  const filters = [
    ...['--outcome', 'quarantined', '--reason', 'NORMALIZER_FAILED', '--endpoint', 'acme', '--kind', 'a.*'],
    ...[
      '--event-id',
      'e 1',
      '--subject',
      's',
      '--text',
      't',
      '--min-attempts',
      '2',
      '--error',
      'TimeoutError',
    ],
    ...['--since', '1970-01-01T00:00:00Z', '--until', '1970-01-02T00:00:00Z'],
  ]
  const { asked } = await sallyport(['deliveries', ...filters], [200, { data: [], meta: { total: 0 } }])
  expect(Object.fromEntries(new URL(asked[0]?.url ?? '').searchParams)).toEqual({
    outcome: 'quarantined',
    reason: 'NORMALIZER_FAILED',
    endpoint: 'acme',
    kind: 'a.*',
    eventId: 'e 1',
    subject: 's',
    text: 't',
    minAttempts: '2',
    error: 'TimeoutError',
    receivedAfter: '1970-01-01T00:00:00.000Z',
    receivedBefore: '1970-01-02T00:00:00.000Z',
  })
  expect((await sallyport(['deliveries', '--until', 'noon'])).output).toContain('--until is not a time')
})

describe('an error response', () => {
  it.each([
    [401, 'INVALID_TOKEN', /log in again/],
    [403, 'FORBIDDEN', /the account of an admin/],
    [500, 'INTERNAL_ERROR', /server's log/],
    [409, 'CONFLICT', /409 CONFLICT: words$/],
  ])('%i %s has a hint', async (status, code, expected) => {
    const refusal = { error: { code, message: 'words' } }
    const shown = await sallyport(['replay', id], [status, refusal])
    expect(shown.code).toBe(1)
    expect(shown.output).toMatch(expected)
  })

  it('shows each validation problem and detects a response of another server', async () => {
    const details = [{ field: 'limit', message: 'Must be a whole number from 1 to 100' }]
    const refusal = { error: { code: 'VALIDATION_ERROR', message: 'The request is not valid', details } }
    const { output } = await sallyport(['deliveries', '--limit', '0'], [400, refusal])
    expect(output).toContain('limit: Must be a whole number from 1 to 100')
    for (const body of [{}, { data: [{ id: 1 }] }, 'text']) {
      const { code, output: shown } = await sallyport(['deliveries'], [200, body])
      expect([code, shown]).toEqual([1, expect.stringContaining('the response is not that of the API')])
    }
  })
})
