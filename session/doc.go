// Package session runs calls of tune: it asks the tuner for each region of a file, shares the time
// among them, and prints what came out. It times known variants again, and replays recorded
// searches.
package session
