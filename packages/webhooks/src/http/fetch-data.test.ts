import { openReceiver } from '@sallyport/test-support/hosts'
import { describe, expect, it } from 'vitest'
import { fetchData } from './index.ts'

const path = '/api/v1/deliveries/1/data?event=doorbell%3A1'
const data = { door: 'front', text: '🔔' }
const openServer = () =>
  openReceiver((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data)),
  )

describe('fetchData', () => {
  it.each([[{ door: 'front' }], [null], [false], ['']])(
    'returns the data of an event that has data: %j',
    async (given) => {
      const fetch = () => Promise.reject(new Error('requested'))
      expect(await fetchData({ data: given }, { baseUrl: 'https://hooks.example.com', fetch })).toEqual(given)
    },
  )

  it.each([
    ['absolute', (origin: string) => origin + path],
    ['relative', () => path],
  ])('loads the data from a reference that is %s', async (_, create) => {
    await using server = await openServer()
    const options = { baseUrl: server.url, headers: () => Promise.resolve({ authorization: 'Bearer a' }) }
    expect(await fetchData({ dataref: create(server.url) }, options)).toEqual(data)
    expect(server.requests).toMatchObject([{ method: 'GET', path, headers: { authorization: 'Bearer a' } }])
  })

  it.each([
    'https://other.example.com/a',
    '//other.example.com/a',
    'http://hooks.example.com/a',
    'https://',
    'data:,1',
  ])('refuses the reference %s without a request', async (dataref) => {
    const fetch = () => Promise.reject(new Error('requested'))
    await expect(
      fetchData({ dataref }, { baseUrl: 'https://hooks.example.com', fetch }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })

  it('reports an event without data and reference as not found', async () => {
    await expect(fetchData({}, { baseUrl: 'https://hooks.example.com' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it.each([
    [404, 'NOT_FOUND', /deleted by retention or erased/],
    [410, 'NOT_FOUND', /deleted by retention or erased/],
    [401, 'SERVICE_UNAVAILABLE', /status 401/],
    [302, 'SERVICE_UNAVAILABLE', /cannot be loaded/],
    [500, 'SERVICE_UNAVAILABLE', /status 500/],
  ])('rejects after status %d with %s', async (status, code, message) => {
    await using server = await openReceiver((response) =>
      response.writeHead(status, { location: '/b' }).end('secret'),
    )
    const error: unknown = await fetchData({ dataref: path }, { baseUrl: server.url }).catch(
      (cause: unknown) => cause,
    )
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
    expect(server.requests).toHaveLength(1)
  })

  it('rejects when the server does not answer in time', async () => {
    await using server = await openReceiver(() => undefined)
    await expect(fetchData({ dataref: path }, { baseUrl: server.url, timeoutMs: 50 })).rejects.toMatchObject({
      ...{ code: 'SERVICE_UNAVAILABLE', message: 'The data of the event cannot be loaded: timeout' },
    })
  })

  it('rejects a timeout out of range and an invalid baseUrl', async () => {
    await expect(fetchData({ data: 1 }, { baseUrl: 'https://a', timeoutMs: 0 })).rejects.toThrow(TypeError)
    await expect(fetchData({ dataref: path }, { baseUrl: '' })).rejects.toThrow(TypeError)
  })
})
