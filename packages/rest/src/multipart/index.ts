/**
 * Bodies of type `multipart/form-data`: fields and files.
 *
 * @module
 */
export { multipartBody } from './multipart-body.ts'
