// /join/frame.js: the join page says how high it is.
import { isFramed, reportHeight } from './frame.ts'

if (isFramed) addEventListener('DOMContentLoaded', reportHeight)
