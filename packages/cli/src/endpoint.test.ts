import { describe, expect, it } from 'vitest'
import { resolveWebhook } from './endpoint.ts'

const endpoint = (url?: string, env = {}, id?: string) =>
  resolveWebhook('codehost', { url, endpoint: id }, env).href

describe('resolveWebhook', () => {
  it('is on localhost, with the port of the server by default', () => {
    expect(endpoint()).toBe('http://localhost:3111/webhooks/codehost')
    expect(endpoint(undefined, { PORT: '8080' })).toBe('http://localhost:8080/webhooks/codehost')
    expect(endpoint(undefined, { PORT: '' })).toBe('http://localhost:3111/webhooks/codehost')
  })

  it.each([
    ['http://localhost:3111', 'http://localhost:3111/webhooks/codehost'],
    ['https://hooks.example.com/', 'https://hooks.example.com/webhooks/codehost'],
    ['https://example.com/hooks/', 'https://example.com/hooks/'],
    ['https://example.com/in/stripe', 'https://example.com/in/stripe'],
    ['https://example.com/webhooks/deploy', 'https://example.com/webhooks/deploy'],
    ['https://example.com/webhooks/codehost?a=b#c', 'https://example.com/webhooks/codehost?a=b'],
  ])('accepts %s', (given, expected) => {
    expect(endpoint(given)).toBe(expected)
  })

  it.each([
    ['localhost:3111', /not an http or https address/],
    ['ftp://example.com', /not an http or https address/],
    ['', /not an http or https address/],
    ['https://user:password@example.com', /contains credentials/],
  ])('rejects "%s"', (given, message) => {
    expect(() => endpoint(given)).toThrow(message)
  })

  it('adds an endpoint to an origin only', () => {
    expect(endpoint('https://example.com', {}, 'acme')).toBe('https://example.com/webhooks/codehost/acme')
    expect(() => endpoint('https://example.com/in', {}, 'acme')).toThrow('has a path already')
  })

  it('omits the password from the message', () => {
    expect(() => endpoint('ftp://user:hunter2@example.com')).toThrow(
      /^--url is not an http or https address$/,
    )
  })

  it('rejects an invalid port', () => {
    expect(() => endpoint(undefined, { PORT: '3111x' })).toThrow('PORT is not a valid port')
  })
})
