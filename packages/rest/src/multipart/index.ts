/**
 * Bodies of type `multipart/form-data`: fields and files.
 *
 * @module
 */
export { multipartBody, type MultipartBodyOptions } from './multipart-body.ts'
