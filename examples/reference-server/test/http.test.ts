import { once } from 'node:events'
import { connect } from 'node:net'
import { text as getText } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RequestOptions, type TestUser } from './api.ts'
import { describeApi } from './describe-api.ts'

describeApi((api) => {
  let user: TestUser
  beforeAll(async () => {
    user = await api().user()
  })

  const post = (options: RequestOptions) => api().call('POST', '/posts', { token: user.token, ...options })
  const json = { 'content-type': 'application/json' }

  describe('bodies', () => {
    it.each([
      ['no body', {}, 400, 'INVALID_JSON'],
      ['malformed JSON', { body: '{"title":', headers: json }, 400, 'INVALID_JSON'],
      ['an empty body', { body: '', headers: json }, 400, 'INVALID_JSON'],
      ['invalid UTF-8', { body: new Uint8Array([0x22, 0xff, 0x22]), headers: json }, 400, 'INVALID_JSON'],
      ['a body that is not an object', { body: '[]', headers: json }, 400, 'VALIDATION_ERROR'],
      ['a form', { body: new URLSearchParams({ title: 'T' }) }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a body without a type', { body: new Uint8Array([0x7b, 0x7d]) }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [
        'another charset',
        { body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      [
        'a compressed body',
        { body: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      ['too much', { body: `"${'x'.repeat(10 * 1024)}"`, headers: json }, 413, 'PAYLOAD_TOO_LARGE'],
      ['far too much', { body: 'x'.repeat(200_000), headers: json }, 413, 'PAYLOAD_TOO_LARGE'],
      ['unknown fields by odd names', { body: '{"__proto__":{}}', headers: json }, 400, 'VALIDATION_ERROR'],
    ])('refuses %s', async (_, options: RequestOptions, status, code) => {
      expect(await post(options)).toMatchObject({ status, error: { code } })
    })

    it('rejects a body over the limit without Content-Length', async () => {
      const chunk = new Uint8Array(4096).fill(0x20)
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(chunk)
        },
      })
      const response = await fetch(`${api().base}/api/v1/posts`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${user.token}` },
        body,
        duplex: 'half',
      }).catch((error: unknown) => error)
      // The connection is closed under a sender that does not stop; it may see that before the answer.
      if (response instanceof Response) expect(response.status).toBe(413)
      else expect(response).toBeInstanceOf(TypeError)
    })

    // The connection was once closed under the sender, who saw it broken more often than the answer.
    it.each([
      ['413', 'POST /api/v1/posts', true, 'application/json', 'PAYLOAD_TOO_LARGE'],
      ['415', 'POST /api/v1/posts', true, 'text/plain', 'UNSUPPORTED_MEDIA_TYPE'],
      ['401', 'POST /api/v1/posts', false, 'application/json', 'TOKEN_MISSING'],
      ['404', 'POST /api/v1/nothing', true, 'application/json', 'NOT_FOUND'],
      ['400', 'POST /api/v1/posts#1', true, 'application/json', 'BAD_REQUEST'],
      ['413', 'POST /webhooks/codehost', false, 'application/json', 'PAYLOAD_TOO_LARGE'],
    ])('answers %s to %s of far too much, which is read only once all is sent', async (...cases) => {
      const [status, target, authorized, type, code] = cases
      const body = Buffer.alloc(25 * 1024 * 1024 + 1, ' ')
      const head = [
        `${target} HTTP/1.1`,
        'Host: localhost',
        `Content-Type: ${type}`,
        `Content-Length: ${body.length}`,
        ...(authorized ? [`Authorization: Bearer ${user.token}`] : []),
      ]
      for (let time = 0; time < 3; time++) {
        const received = await sendThenRead(Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body)
        expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"code":"${code}"[^]*}$`))
        expect(received).toMatch(/^connection: close\r$/im)
      }
    })

    // It was carried out, and its answer lost: the sender did it again.
    it('runs no request after the one that closes the connection', async () => {
      const account = { email: 'behind@example.com', name: 'Behind', password: 'a password of mine' }
      const registration = JSON.stringify(account)
      const much = 'x'.repeat(200_000)
      const request = (path: string, body: string) =>
        [
          `POST ${path} HTTP/1.1`,
          'Host: localhost',
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n')
      const both = request('/api/v1/posts', much) + request('/api/v1/users', registration)
      expect((await sendThenRead(Buffer.from(both))).match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 401'])
      expect((await api().call('POST', '/users', { json: account })).status).toBe(201)
    })

    it('answers once when the rest of a rejected body is not HTTP', async () => {
      const { port } = new URL(api().base)
      const socket = connect(Number(port), '127.0.0.1')
      socket.write('POST /api/v1/posts HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /)
      socket.write('ZZZ\r\n')
      expect(await getText(socket)).not.toContain('HTTP/1.1')
    })

    async function sendThenRead(...parts: readonly Buffer[]): Promise<string> {
      const { port } = new URL(api().base)
      const socket = connect(Number(port), '127.0.0.1').pause()
      for (const part of parts) {
        await new Promise<void>((resolve, reject) => {
          socket.write(part, (error) => {
            if (error) reject(error)
            else resolve()
          })
        })
      }
      return getText(socket)
    }

    // RFC 9110, section 5.6.6: empty parameters are ignored, and unknown parameters do not change the type.
    // All names of UTF-8 are accepted, and US-ASCII is a subset of UTF-8.
    it.each([
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/json;',
      'application/json; version=1',
      'application/json; profile="https://example.com/post"; charset=utf-8',
      'application/json ;charset=utf-8; ',
      'application/json; charset=utf8',
      'application/json; charset="UTF8"',
      'application/json; charset=US-ASCII',
    ])('takes %s', async (type) => {
      const body = JSON.stringify({ title: 'Ω', body: 'B' })
      const answer = await post({ body, headers: { 'content-type': type } })
      expect(answer).toMatchObject({ status: 201, data: { title: 'Ω' } })
    })

    it.each([
      'application/jsonp',
      'application/json+x',
      'application/json, text/plain',
      'application/json; charset=utf-8; charset=utf-16',
      'application/json; charset=utf-8; charset',
      'application/merge-patch+json',
      'text/json',
    ])('does not take %s', async (type) => {
      const answer = await post({ body: '{"title":"T","body":"B"}', headers: { 'content-type': type } })
      expect(answer).toMatchObject({ status: 415, error: { code: 'UNSUPPORTED_MEDIA_TYPE' } })
    })
  })

  // It was a 406.
  it('accepts the Accept header of older Java clients', async () => {
    const accept = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'
    const answer = await api().call('GET', `/users/${user.id}`, { token: user.token, headers: { accept } })
    expect(answer).toMatchObject({ status: 200, data: { id: user.id } })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  describe('responses', () => {
    it('carry the request id, that of the client if it is well formed', async () => {
      const own = await api().call('GET', '/users', {
        token: user.token,
        headers: { 'x-request-id': 'a.B-1_2' },
      })
      expect(own.headers.get('x-request-id')).toBe('a.B-1_2')
      const made = await api().call('GET', '/users', {
        token: user.token,
        headers: { 'x-request-id': 'a b' },
      })
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    })

    it('depend on the caller and are not cached by others', async () => {
      const { headers } = await api().call('GET', `/users/${user.id}`, { token: user.token })
      expect(headers.get('vary')).toBe('Authorization, Accept')
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    })

    it('are problem details if the client accepts them', async () => {
      const headers = { accept: 'application/problem+json' }
      const answer = await api().call('POST', '/users', { json: {}, headers })
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(JSON.parse(answer.text)).toMatchObject({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        code: 'VALIDATION_ERROR',
        details: [{ field: 'email' }, { field: 'name' }, { field: 'password' }],
      })
    })

    it('are the same at /v1', async () => {
      const headers = { authorization: `Bearer ${user.token}` }
      const [long, short] = await Promise.all([
        fetch(`${api().base}/api/v1/users/${user.id}`, { headers }),
        fetch(`${api().base}/v1/users/${user.id}`, { headers }),
      ])
      expect(await short.text()).toBe(await long.text())
    })

    it('to HEAD are those to GET without the body', async () => {
      const path = `/users/${user.id}`
      const [get, head] = [
        await api().call('GET', path, { token: user.token }),
        await api().call('HEAD', path, { token: user.token }),
      ]
      expect(head).toMatchObject({ status: 200, text: '' })
      for (const name of ['content-type', 'content-length', 'etag']) {
        expect(head.headers.get(name)).toBe(get.headers.get(name))
      }
      const headers = { 'if-none-match': get.headers.get('etag')! }
      expect((await api().call('HEAD', path, { token: user.token, headers })).status).toBe(304)
    })

    it.each(['/users/%', '/users/%ff', '/users/%00', '/users/a%00b'])('reject the path %s', async (path) => {
      const answer = await api().call('GET', path, { token: user.token })
      expect(answer).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } })
    })
  })

  describe('Idempotency-Key', () => {
    const create = (key: string, title: string, token = user.token, path = '/posts') =>
      api().call('POST', path, {
        json: { title, name: title, body: 'B' },
        token,
        headers: { 'idempotency-key': key },
      })
    const total = async () =>
      (await api().call('GET', `/users/${user.id}/posts`, { token: user.token })).meta['total']

    it('runs a repeated request once and repeats its response', async () => {
      const body = { title: 'Once', body: 'B' }
      const headers = { 'idempotency-key': 'once' }
      const before = Number(await total())
      const first = await post({ json: body, headers })
      const again = await post({ json: body, headers })
      expect([again.status, again.text]).toEqual([201, first.text])
      for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      expect(await total()).toBe(before + 1)
    })

    it('rejects another request with the same key', async () => {
      const headers = { 'idempotency-key': 'reused' }
      await post({ json: { title: 'One', body: 'B' }, headers })
      const answer = await post({ json: { title: 'Two', body: 'B' }, headers })
      expect(answer).toMatchObject({ status: 422, error: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    })

    it('is separate per user and path', async () => {
      const other = await api().user()
      const answers = [
        await create('apart', 'x', user.token),
        await create('apart', 'x', other.token),
        await create('apart', 'x', other.token, '/projects'),
      ]
      // Each body is rejected for its unknown field: a rejection is not the replay of another response.
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
      const one = await post({ json: { title: 'T', body: 'B' }, headers: { 'idempotency-key': 'mine' } })
      const two = await api().call('POST', '/posts', {
        json: { title: 'T', body: 'B' },
        token: other.token,
        headers: { 'idempotency-key': 'mine' },
      })
      expect(two.data.id).not.toBe(one.data.id)
      // One body, and both paths may take it.
      const comments = []
      for (const { data } of [one, two]) {
        comments.push(
          await api().call('POST', `/posts/${data.id}/comments`, {
            json: { body: 'B' },
            token: user.token,
            headers: { 'idempotency-key': 'commented' },
          }),
        )
      }
      expect(comments.map(({ status }) => status)).toEqual([201, 201])
      expect(comments.map(({ data }) => data.post_id)).toEqual([one.data.id, two.data.id])
    })

    it('stores the rejection of a valid request', async () => {
      const { id } = (await post({ json: { title: 'T', body: 'B' } })).data
      await api().call('DELETE', `/posts/${id}`, { token: user.token })
      const comment = (accept: string) =>
        api().call('POST', `/posts/${id}/comments`, {
          json: { body: 'B' },
          token: user.token,
          headers: { 'idempotency-key': 'refused', accept },
        })
      const first = await comment('application/json')
      expect(first).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
      expect((await comment('application/json')).text).toBe(first.text)
      // It was once answered in the form that the first request had asked for.
      const problem = await comment('application/problem+json')
      expect(problem.headers.get('content-type')).toBe('application/problem+json')
      expect(JSON.parse(problem.text)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    })

    it.each(['', 'a b', 'x'.repeat(256)])('has to be a key: %j', async (key) => {
      const answer = await post({ json: { title: 'T', body: 'B' }, headers: { 'idempotency-key': key } })
      expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    })
  })

  describe('connections', () => {
    it.each([
      ['GET /health', 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n', [200]],
      [
        'a delivery',
        'POST /webhooks/codehost HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}',
        [401],
      ],
      [
        'two requests',
        'GET /api/v1/posts HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
        [401, 200],
      ],
    ])('are answered after the client half-closed the connection after %s', async (_, sent, statuses) => {
      const { port } = new URL(api().base)
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
      socket.end(sent)
      const received = await getText(socket)
      expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))).toEqual(
        statuses,
      )
    })

    it('stay open after a rejection whose body was not read', async () => {
      const { port } = new URL(api().base)
      const body = JSON.stringify({ title: 'T', body: 'B' })
      const head = `POST /api/v1/posts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
      const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
      const socket = connect(Number(port), '127.0.0.1')
      let received = ''
      socket.setEncoding('utf8').on('data', (text: string) => (received += text))
      socket.write(request)
      await expect.poll(() => received.match(/HTTP\/1\.1 401/g)?.length).toBe(1)
      socket.write(request)
      await expect.poll(() => received.match(/HTTP\/1\.1 401/g)?.length).toBe(2)
      socket.destroy()
    })
  })
})
