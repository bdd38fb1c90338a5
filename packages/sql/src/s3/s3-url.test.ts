import { expect, it } from 'vitest'
import { readS3Url } from './s3-url.ts'

it.each([
  ['s3://acme', { bucket: 'acme', prefix: '' }],
  ['s3://acme/', { bucket: 'acme', prefix: '' }],
  [
    's3://acme.bodies/a/b/?region=eu-central-1',
    { bucket: 'acme.bodies', prefix: 'a/b/', region: 'eu-central-1' },
  ],
  [
    's3://acme/a?endpoint=http%3A%2F%2F127.0.0.1%3A9000',
    { bucket: 'acme', prefix: 'a/', endpoint: 'http://127.0.0.1:9000' },
  ],
])('reads %s', (url, bucket) => {
  expect(readS3Url(url)).toEqual(bucket)
})

it.each([
  ['another protocol', 'https://acme/secret'],
  ['credentials', 's3://key:secret@acme'],
  ['a port', 's3://acme:9000'],
  ['no bucket', 's3:///secret'],
  ['an invalid bucket', 's3://Acme_secret'],
  ['a prefix that climbs', 's3://acme/a%2f..%2fsecret'],
  ['an empty folder', 's3://acme/a//secret'],
  ['an unknown parameter', 's3://acme?secret=1'],
  ['an invalid region', 's3://acme?region=secret!'],
  ['an endpoint with a path', 's3://acme?endpoint=https://host/secret'],
  ['an endpoint of another protocol', 's3://acme?endpoint=file://secret'],
  ['a fragment', 's3://acme#secret'],
])('refuses %s without quoting it', (_, url) => {
  expect(() => readS3Url(url)).toThrow(TypeError)
  expect(() => readS3Url(url)).not.toThrow(/secret/)
})
