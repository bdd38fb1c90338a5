/**
 * A store for large bodies in a bucket of S3, or of a service with the same protocol.
 *
 * @module
 */
export { createS3BodyStore, type S3BodyStore, type S3BodyStoreOptions } from './s3-body-store.ts'
