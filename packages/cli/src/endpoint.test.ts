import { describe, expect, it } from 'vitest'
import { endpointOf } from './endpoint.ts'

const endpoint = (url?: string, env = {}) => endpointOf('codehost', url, env).href

describe('endpointOf', () => {
  it('is on this machine, on the port of the server', () => {
    expect(endpoint()).toBe('http://localhost:3111/webhooks/codehost')
    expect(endpoint(undefined, { PORT: '8080' })).toBe('http://localhost:8080/webhooks/codehost')
    expect(endpoint(undefined, { PORT: '' })).toBe('http://localhost:3111/webhooks/codehost')
  })

  it.each([
    ['http://localhost:3111', 'http://localhost:3111/webhooks/codehost'],
    ['https://hooks.example.com/', 'https://hooks.example.com/webhooks/codehost'],
    ['https://example.com/hooks/', 'https://example.com/hooks/webhooks/codehost'],
    ['https://example.com/webhooks', 'https://example.com/webhooks/codehost'],
    ['https://example.com/webhooks/', 'https://example.com/webhooks/codehost'],
    ['https://example.com/webhooks/codehost', 'https://example.com/webhooks/codehost'],
    ['https://example.com/webhooks/codehost/', 'https://example.com/webhooks/codehost/'],
    ['https://example.com/webhooks/codehost?a=b#c', 'https://example.com/webhooks/codehost?a=b'],
  ])('takes %s', (given, expected) => {
    expect(endpoint(given)).toBe(expected)
  })

  it.each([
    ['localhost:3111', /not an http or https address/],
    ['ftp://example.com', /not an http or https address/],
    ['', /not an http or https address/],
    ['https://user:password@example.com', /holds credentials/],
    ['https://example.com/webhooks/deploy', /is that of "deploy"/],
  ])('refuses "%s"', (given, message) => {
    expect(() => endpoint(given)).toThrow(message)
  })

  it('shows no password', () => {
    expect(() => endpoint('ftp://user:hunter2@example.com')).toThrow(
      /^--url is not an http or https address$/,
    )
  })

  it('refuses a port that is none', () => {
    expect(() => endpoint(undefined, { PORT: '3111x' })).toThrow('PORT is not a port')
  })
})
