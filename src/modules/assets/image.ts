import { imageSize } from 'image-size'
import { maxImageBytes } from './input.ts'

export type Image = { mediaType: string; width: number; height: number }

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** An SVG can hold scripts, so it is no image here. @param content base64 @returns what is wrong, or what it is */
export function readImage(content: string): Image | string {
  // Without blanks first: a pattern that also skips them takes minutes for a megabyte of them.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(content.replace(/\s+/g, ''))) return 'must be base64'
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > maxImageBytes) return `is too large (at most ${maxImageBytes / 1024} KiB)`
  try {
    const { type = '', width, height } = imageSize(bytes)
    const mediaType = mediaTypes[type]
    if (mediaType && width > 0 && height > 0) return { mediaType, width, height }
  } catch {
    // Not an image, or a broken one.
  }
  return 'must be a PNG, JPEG, GIF or WebP image'
}
