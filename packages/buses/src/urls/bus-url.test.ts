import { expect, it } from 'vitest'
import { checkBusUrl, formatUrlOrigin, listBusUrls, openBus, openQueue } from '../index.ts'

it.each([
  ['redis://host', true],
  ['rediss://user:password@host:6380/3?name=staging', true],
  ['redis://host/zero', false],
  ['redis://host/0?name=a:b', false],
  ['redis://host/0?db=1', false],
  ['redis:///0', false],
  ['redis://host,host2/0', false],
  ['amqp://host', true],
  ['amqps://user:password@host:5671/%2Fstaging?exchange=staging&mandatory=false', true],
  ['amqp://host/a/b', false],
  ['amqp://host?exchange=a:b', false],
  ['amqp://host?exchange=a&exchange=b', false],
  ['amqp://host?heartbeat=5', false],
  ['amqp://host/%zz', false],
  ['amqp:///vhost', false],
  ['nats://host,host2:4223/EVENTS', true],
  ['constructor://host', false],
  ['host:4222', false],
  ['', false],
])('knows whether %s is the URL of a bus', (url, accepted) => {
  const check = () => checkBusUrl('bus', url)
  if (accepted) expect(check()).toBe(url)
  else expect(check).toThrow('has to be an address such as')
})

it('does not quote a password', () => {
  for (const url of ['nats://user:%zzsecret@host', 'nats://user:secret@host/a/b']) {
    expect(() => checkBusUrl('bus', url)).toThrow(/^(?:(?!secret).)*$/)
  }
  expect(formatUrlOrigin('nats://user:secret@host:1,host2:2/EVENTS')).toBe('nats://host:1,host2:2')
})

it('opens only a queue that is one', async () => {
  const queues = ['nats://host:4222/STREAM', 'redis://host:6379/0', 'amqp://host:5672/VHOST']
  expect(listBusUrls('queue')).toEqual(queues)
  await expect(openQueue('kafka://127.0.0.1')).rejects.toThrow('has to be an address such as nats://')
  await expect(openBus('database')).rejects.toThrow(TypeError)
})

it('publishes to the receiver of a URL', async () => {
  const bus = await openBus('cloudevents+http://127.0.0.1:9/events', { timeoutMs: 1000 })
  await expect(bus.ping()).rejects.toThrow('No answer over HTTP')
  await bus.close()
})
