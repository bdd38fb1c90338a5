import { describe, expect, it } from 'vitest'
import { readAddress } from './address.ts'

describe('readAddress', () => {
  it.each([
    ['kafka://127.0.0.1:9092', { brokers: ['127.0.0.1:9092'], tls: false }],
    ['kafka://one,two:9093/webhooks', { brokers: ['one:9092', 'two:9093'], tls: false }],
    ['kafkas://[::1]:9094', { brokers: ['[::1]:9094'], tls: true }],
    [
      'kafkas://user:p%40ss@one:9092,two:9092',
      {
        brokers: ['one:9092', 'two:9092'],
        tls: true,
        sasl: { mechanism: 'PLAIN', username: 'user', password: 'p@ss' },
      },
    ],
  ])('parses %s', (url, address) => {
    expect(readAddress(url)).toEqual(address)
  })

  it.each([
    '',
    'kafka://',
    'kafka://one,',
    'nats://one:9092',
    'kafka://one:99999',
    'kafka://one/a?b=c',
    'kafka://user@one',
    'kafka://user:secret:more@one',
    'kafka://user:%zz@one',
  ])('rejects %s without quoting it', (url) => {
    expect(() => readAddress(url)).toThrow(TypeError)
    expect(() => readAddress(url)).not.toThrow(/secret|one/)
  })
})
