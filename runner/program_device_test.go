package runner

import (
	"os"
	"strings"
	"testing"
)

// The functions for devices begin with the line by which programs that are watched find them.
func TestDeviceFunctionsAreFound(t *testing.T) {
	text, err := os.ReadFile("../device/runtime/host.c.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix("\n"+string(text), deviceFunctions) {
		t.Errorf("they begin with %.80q; want %q", text, deviceFunctions)
	}
	program, functions := WithoutDevice("int main(void) {}" + "\n" + string(text))
	if program != "int main(void) {}" || functions != "\n"+string(text) {
		t.Errorf("parted as %q and %d more characters", program, len(functions))
	}
	if program, functions := WithoutDevice("int main(void) {}"); program != "int main(void) {}" || functions != "" {
		t.Errorf("without them: %q, %q", program, functions)
	}
}
