import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, unknownId, type Answer, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'
import { sendRaw } from './raw.ts'

const secret = 'canary-2b8d91'

function expectRefusal(
  answer: Pick<Answer, 'status' | 'headers' | 'text'>,
  status: number,
  code: string,
): void {
  const { error } = JSON.parse(answer.text) as Partial<Answer>
  expect([answer.status, error?.code]).toEqual([status, code])
  expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(secret)
}

describeApi((api) => {
  let user: TestUser
  beforeAll(async () => {
    user = await api().user()
  })
  const get = (path: string) => api().call('GET', path, { token: user.token })

  describe('queries', () => {
    it.each([
      ['limit=5&limit=5', ['limit']],
      ['limit=5&limit=6&limit=7', ['limit']],
      ['%6cimit=5&limit=5', ['limit']],
      ['limit[]=5', ['limit[]']],
      ['limit%5B%5D=5', ['limit[]']],
      ['fields[0]=id&fields[1]=name', ['fields[0]', 'fields[1]']],
      ['status[$ne]=active', ['status[$ne]']],
      ['__proto__=1', ['__proto__']],
      ['__proto__[role]=admin&constructor.prototype=1', ['__proto__[role]', 'constructor.prototype']],
      ['constructor=1&toString=1', ['constructor', 'toString']],
      ['=1', ['']],
      // It was taken for limit.
      ['?limit=5', ['?limit']],
      ['LIMIT=5', ['LIMIT']],
      ['limit=5;page=2', ['limit']],
      ['search=%', ['search']],
      ['search=%zz', ['search']],
      ['search=%ff', ['search']],
      ['search=%c0%af', ['search']],
      ['search=%ed%a0%80', ['search']],
      ['search=%00', ['search']],
      ['search=a%00b', ['search']],
      ['%ff=1', ['%ff']],
      ['limit=%EF%BC%95', ['limit']],
      ['limit=5%20', ['limit']],
      ['limit=+5', ['limit']],
      ['limit=0x5', ['limit']],
      ['limit=5.0', ['limit']],
      ['limit=-5', ['limit']],
      ['limit=', ['limit']],
      [`limit=${'9'.repeat(400)}`, ['limit']],
      ['page=9007199254740993', ['page']],
      ['sort=', ['sort']],
      ['sort=-', ['sort']],
      ['sort=name,', ['sort']],
      ['sort=name;drop', ['sort']],
      ['sort=password_hash', ['sort']],
      ['sort=__proto__', ['sort']],
      ['fields=', ['fields']],
      ['fields=password_hash', ['fields']],
      ['fields=constructor', ['fields']],
      [`search=${'x'.repeat(201)}`, ['search']],
      ['createdAfter=2027-02-30', ['createdAfter']],
      ['createdAfter=2027-01-01T25:00:00Z', ['createdAfter']],
      [`cursor=${'A'.repeat(3000)}`, ['cursor']],
      ['cursor=%F0%9F%9A%AA', ['cursor']],
    ])('are refused where they are %s', async (query, fields) => {
      const answer = await get(`/users?${query}`)
      expectRefusal(answer, 400, 'VALIDATION_ERROR')
      expect(Object.keys(getProblems(answer)).sort()).toEqual([...fields].sort())
    })

    it('have a limited number of parameters and characters', async () => {
      const parameters = (count: number) =>
        Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')
      expectRefusal(await get(`/users?${parameters(65)}`), 400, 'BAD_REQUEST')
      expectRefusal(await get(`/users?${parameters(1500)}`), 414, 'URI_TOO_LONG')
      expectRefusal(await get(`/users?${'x'.repeat(8192)}`), 400, 'VALIDATION_ERROR')
      expectRefusal(await get(`/users?${'x'.repeat(8193)}`), 414, 'URI_TOO_LONG')
    })

    it.each(["' OR '1'='1", '%', '_', '\\', '"; --', '${7*7}', '{{7*7}}', '\u202e', 'ß', '🚪'])(
      'search for %j as it is written',
      async (text) => {
        const answer = await get(`/users?search=${encodeURIComponent(text)}`)
        expect([answer.status, answer.list]).toEqual([200, []])
      },
    )
  })

  describe('ids', () => {
    it.each([
      ['me', 'VALIDATION_ERROR'],
      ['0', 'VALIDATION_ERROR'],
      ['-1', 'VALIDATION_ERROR'],
      ['null', 'VALIDATION_ERROR'],
      ['__proto__', 'VALIDATION_ERROR'],
      [`{${unknownId}}`, 'VALIDATION_ERROR'],
      [`urn:uuid:${unknownId}`, 'VALIDATION_ERROR'],
      [unknownId.replaceAll('-', ''), 'VALIDATION_ERROR'],
      [unknownId.slice(1), 'VALIDATION_ERROR'],
      [`${unknownId}0`, 'VALIDATION_ERROR'],
      [`${unknownId}%20`, 'VALIDATION_ERROR'],
      [`%20${unknownId}`, 'VALIDATION_ERROR'],
      [`${unknownId}%0A`, 'VALIDATION_ERROR'],
      [`${unknownId}%2F`, 'VALIDATION_ERROR'],
      [`${unknownId};v=1`, 'VALIDATION_ERROR'],
      [`${unknownId}'--`, 'VALIDATION_ERROR'],
      // Cyrillic а, a full-width zero, and what cannot be seen.
      [encodeURIComponent(unknownId.replace('a', '\u0430')), 'VALIDATION_ERROR'],
      [encodeURIComponent(unknownId.replace('0', '\uff10')), 'VALIDATION_ERROR'],
      [encodeURIComponent(unknownId.replaceAll('-', '\u2010')), 'VALIDATION_ERROR'],
      [encodeURIComponent(`${unknownId}\u200b`), 'VALIDATION_ERROR'],
      [encodeURIComponent(`\u202e${unknownId}`), 'VALIDATION_ERROR'],
      ['x'.repeat(100), 'VALIDATION_ERROR'],
      [`${unknownId}%00`, 'BAD_REQUEST'],
      ['%', 'BAD_REQUEST'],
      ['%2', 'BAD_REQUEST'],
      ['%gg', 'BAD_REQUEST'],
      ['%ff', 'BAD_REQUEST'],
      ['%c0%af', 'BAD_REQUEST'],
      ['%ed%a0%80', 'BAD_REQUEST'],
    ])('reject %s', async (id, code) => {
      for (const path of [`/users/${id}`, `/posts/${id}/comments`, `/projects/${unknownId}/tasks/${id}`]) {
        expectRefusal(await get(path), 400, code)
      }
    })

    // Of no version, of another variant, and of neither: RFC 9562 makes a UUID of them all the same.
    it.each([
      '00000000-0000-0000-0000-000000000001',
      '11111111-1111-1111-1111-111111111111',
      '123e4567-e89b-92d3-c456-426614174000',
    ])('are UUIDs of any version: %s', async (id) => {
      const token = user.token
      const task = `/projects/${id}/tasks/${id}`
      for (const path of [
        `/users/${id}`,
        `/users/${id}/posts`,
        `/posts/${id}/comments`,
        `/sessions/${id}`,
        task,
      ])
        expectRefusal(await get(path), 404, 'NOT_FOUND')
      expectRefusal(
        await api().call('PATCH', `/posts/${id}`, { token, json: { title: 'T' } }),
        404,
        'NOT_FOUND',
      )
      const json = { refresh_token: 'x' }
      expectRefusal(await api().call('POST', `/sessions/${id}/tokens`, { json }), 401, 'INVALID_TOKEN')
    })

    it('reject a path over the limit', async () => {
      expectRefusal(await get(`/users/${'x'.repeat(3000)}`), 414, 'URI_TOO_LONG')
    })

    it('are case-insensitive', async () => {
      expect(await get(`/users/${user.id.toUpperCase()}`)).toMatchObject({
        status: 200,
        data: { id: user.id },
      })
    })
  })

  describe('headers', () => {
    it.each([
      [{ authorization: `Basic ${btoa(`eve:${secret}`)}` }, 401, 'TOKEN_MISSING'],
      [{ authorization: secret }, 401, 'TOKEN_MISSING'],
      [{ authorization: `Bearer ${secret}` }, 401, 'INVALID_TOKEN'],
      [{ authorization: `Bearer ${secret} ${secret}` }, 401, 'INVALID_TOKEN'],
      [{ authorization: `Bearer ${secret}.${secret}.${secret}` }, 401, 'INVALID_TOKEN'],
      [{ authorization: `Bearer ${secret.repeat(800)}` }, 401, 'INVALID_TOKEN'],
      [{ cookie: `access_token=${secret}` }, 401, 'TOKEN_MISSING'],
      [{ 'x-request-id': `${secret} ${secret}` }, 401, 'TOKEN_MISSING'],
    ])('are not echoed: %j', async (headers, status, code) => {
      expectRefusal(await api().call('GET', '/users', { headers }), status, code)
    })

    it.each([
      ['garbage', secret],
      ['a tag without quotes', 'abc'],
      ['a tag that does not end', '"abc'],
      ['a comma alone', ','],
      ['nothing', ''],
    ])('guard no change with an If-Match of %s', async (_, value) => {
      const answer = await api().call('PATCH', `/users/${user.id}`, {
        json: { name: 'Changed' },
        token: user.token,
        headers: { 'if-match': value },
      })
      expectRefusal(answer, 400, 'BAD_REQUEST')
      expect((await get(`/users/${user.id}`)).data['name']).toBe('Somebody')
    })

    it.each(['', ' ', 'a b', 'é', `${secret},`.repeat(40)])('hold no Idempotency-Key %j', async (key) => {
      const answer = await api().call('POST', '/posts', {
        json: { title: 'T', body: 'B' },
        token: user.token,
        headers: { 'idempotency-key': key },
      })
      expectRefusal(answer, 400, 'VALIDATION_ERROR')
    })

    it('reject several values of Idempotency-Key', async () => {
      const body = '{"title":"T","body":"B"}'
      const fields = ['Host: localhost', 'Connection: close', `Authorization: Bearer ${user.token}`]
      const keys = ['Idempotency-Key: one', 'Idempotency-Key: two']
      const type = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      const head = ['POST /api/v1/posts HTTP/1.1', ...fields, ...keys, ...type, '', ''].join('\r\n')
      expectRefusal(await sendRaw(api().base, head, body), 400, 'VALIDATION_ERROR')
    })
  })

  // Node.js itself refuses these, before there is a request for a handler: no operation documents them.
  it.each([
    ['a large path', `/users/${secret.repeat(2000)}`, ''],
    ['a large query', `/users?${'secret=1&'.repeat(5000)}`, ''],
    ['a large header', '/users', `Authorization: Bearer ${secret.repeat(2000)}\r\n`],
    ['many headers', '/users', `X-Secret: ${secret}\r\n`.repeat(1000)],
  ])('a head with %s is refused', async (_, path, fields) => {
    const head = `GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`
    expectRefusal(await sendRaw(api().base, head), 431, 'HEADERS_TOO_LARGE')
    expect((await get('/users')).status).toBe(200)
  })

  // Node.js answered the first two with a bare status, and Express the last two with a page.
  it.each([
    ['has no Host', '/users', ''],
    ['has no Host and is a delivery', '/webhooks/tasks', ''],
    ['has two of them', '/users', 'Host: localhost\r\nHost: localhost\r\n'],
    ['has a fragment', '/users#top', 'Host: localhost\r\n'],
    ['has a fragment after a host-like path', '//a@[#', 'Host: localhost\r\n'],
    ['is for another scheme', 'ftp://[', 'Host: localhost\r\n'],
  ])('a request whose head %s is refused', async (_, path, host) => {
    const target = path.startsWith('/users') ? `/api/v1${path}` : path
    const accept = 'Accept: application/problem+json\r\n'
    const head = (fields: string) =>
      `GET ${target} HTTP/1.1\r\n${host}${fields}X-Request-Id: mine\r\nConnection: close\r\n\r\n`
    const answer = await sendRaw(api().base, head(''))
    expectRefusal(answer, 400, 'BAD_REQUEST')
    expect(answer.headers.get('x-request-id')).toBe('mine')
    expect(JSON.parse((await sendRaw(api().base, head(accept))).text)).toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('ignores an unknown expectation', async () => {
    const head = 'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n'
    const answer = await sendRaw(api().base, head)
    expect([answer.status, answer.headers.has('x-request-id')]).toEqual([200, true])
  })

  it.each([
    ['is no HTTP', `hello ${secret}\r\n\r\n`],
    ['has an unknown method', 'STEAL /api/v1/users HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['has an unknown version', 'GET /api/v1/users HTTP/7.7\r\nHost: localhost\r\n\r\n'],
    ['is the start of TLS', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc])],
    ['has a space in its path', `GET /api/v1/us ers?${secret} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ])('a request that %s is refused', async (_, request) => {
    expectRefusal(await sendRaw(api().base, request), 400, 'BAD_REQUEST')
    expect((await get('/users')).status).toBe(200)
  })
})
