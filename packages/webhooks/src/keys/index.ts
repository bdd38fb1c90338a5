/**
 * Public keys that a service publishes: a cache for keys by id, and requests to allowed hosts only. The functions are a separate
 * entry to keep bundles small.
 *
 * @module
 */
export { readCertificateKey } from '../crypto/certificate.ts'
export { crc32 } from '../schemes/crc32.ts'
export { fetchDocument } from '../schemes/fetch-document.ts'
export { createKeyLookup } from '../schemes/key-lookup.ts'
