package spaces

import (
	"encoding/json"
	"math/big"
	"testing"
)

// Numbers beyond the range of 64 bits are numbers in JSON all the same.
func TestLargeEstimates(t *testing.T) {
	large, _, err := big.ParseFloat("1.5e400", 10, 64, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(estimateReport{Estimate{large}, Estimate{big.NewFloat(0)}})
	if want := `{"count":1.5e+400,"standard_error":0}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v; want %s", text, err, want)
	}
}
