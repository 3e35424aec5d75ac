import { randomBytes } from 'node:crypto'

/** A file as messages show it; `size` in bytes. */
export interface SharedFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly size: number
}

/** The files of the local channel, in memory. */
export interface Files {
  /** Begins the upload of so many bytes; `uploadId` is a secret that ends the address to upload to. */
  begin(name: string, length: number): { readonly id: string; readonly uploadId: string }
  /** Takes a file's content, once; false: nothing waits for it, or it is not as long as was said. */
  take(uploadId: string, content: Buffer): boolean
  /** Ends uploads, so that the files can be read; null if one of them has not come, or was ended before. */
  complete(files: readonly { readonly id: string; readonly title?: string | undefined }[]): readonly SharedFile[] | null
  /** What a shared file says. */
  read(id: string): { readonly file: SharedFile; readonly content: Buffer } | null
}

interface Upload {
  readonly id: string
  readonly uploadId: string
  readonly name: string
  readonly length: number
  readonly title: string
  readonly content: Buffer | null
  readonly shared: boolean
}

/** The largest file that is taken, in bytes. */
export const fileLimit = 16 << 20

/** `keepBytes`: the oldest files go when all together are larger. */
export function openFiles({ keepBytes = 64 << 20 }: { readonly keepBytes?: number } = {}): Files {
  const uploads = new Map<string, Upload>()
  const dropOldest = () => {
    let size = [...uploads.values()].reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
    for (const { id, content } of [...uploads.values()].slice(0, -1)) {
      if (size <= keepBytes) return
      size -= content?.length ?? 0
      uploads.delete(id)
    }
  }
  return {
    begin(name, length) {
      const id = `F0${randomBytes(6).toString('hex').toUpperCase()}`
      const uploadId = randomBytes(16).toString('base64url')
      uploads.set(id, { id, uploadId, name, length, title: name, content: null, shared: false })
      return { id, uploadId }
    },
    take(uploadId, content) {
      const upload = [...uploads.values()].find(each => each.uploadId === uploadId)
      if (!upload || upload.content || content.length !== upload.length) return false
      uploads.set(upload.id, { ...upload, content })
      dropOldest()
      return true
    },
    complete(files) {
      const found = files.map(({ id }) => uploads.get(id))
      const complete = found.filter(upload => upload?.content && !upload.shared)
      if (files.length === 0 || complete.length < files.length) return null
      return files.map(({ title }, index) => {
        const upload = { ...(found[index] as Upload), ...(title ? { title } : {}), shared: true }
        uploads.set(upload.id, upload)
        return asShared(upload)
      })
    },
    read(id) {
      const upload = uploads.get(id)
      return upload?.shared && upload.content ? { file: asShared(upload), content: upload.content } : null
    },
  }
}

const asShared = ({ id, name, title, length }: Upload): SharedFile => ({ id, name, title, size: length })

/** The file of an upload: the body itself, or the one file of a form. Null: the form has none, or several. */
export async function uploadedFile(body: Buffer, contentType: string): Promise<Buffer | null> {
  if (!/^multipart\/form-data/i.test(contentType)) return body
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  const files = [...form.values()].filter(value => value instanceof File)
  return files.length === 1 && files[0] ? Buffer.from(await files[0].arrayBuffer()) : null
}
